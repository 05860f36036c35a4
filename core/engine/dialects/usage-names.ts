/** Member names of `usage` in the APIs and of well-known servers. A name that is none of them is inspected: it may be a value. */
const NAMES: ReadonlySet<string> = new Set(
  // OpenAI: Chat Completions, Completions, Embeddings and Responses.
  (
    'prompt_tokens completion_tokens total_tokens input_tokens output_tokens prompt_tokens_details ' +
    'completion_tokens_details input_tokens_details output_tokens_details cached_tokens cache_write_tokens ' +
    'reasoning_tokens audio_tokens text_tokens image_tokens video_tokens file_tokens accepted_prediction_tokens ' +
    'rejected_prediction_tokens cached_tokens_details ' +
    // Messages.
    'cache_creation_input_tokens cache_read_input_tokens cache_creation ephemeral_5m_input_tokens ' +
    'ephemeral_1h_input_tokens server_tool_use web_search_requests web_fetch_requests code_execution_requests ' +
    'service_tier inference_geo iterations type speed thinking_tokens ' +
    // OpenRouter, LiteLLM, Vercel, DeepInfra.
    'cost cost_details is_byok upstream_inference_cost upstream_inference_prompt_cost ' +
    'upstream_inference_completions_cost upstream_inference_input_cost upstream_inference_output_cost ' +
    'server_tool_use_details tool_calls_requested tool_calls_executed estimated_cost ' +
    // DeepSeek, Moonshot, Qwen, Zhipu, MiniMax.
    'prompt_cache_hit_tokens prompt_cache_miss_tokens cache_creation_tokens cache_read_tokens cache_type ' +
    'cached_creation_tokens prompt_audio_tokens prompt_image_tokens total_characters prompt_characters ' +
    // Groq, Cerebras, SambaNova, Fireworks, vLLM, SGLang, llama.cpp.
    'queue_time prompt_time completion_time total_time time_to_first_token total_latency is_last_response ' +
    'completion_tokens_after_first_per_sec completion_tokens_after_first_per_sec_first_ten completion_tokens_per_sec ' +
    'total_tokens_per_sec start_time end_time acceptance_rate ' +
    'output_token_details tool_output_tokens input_tokens_per_turn output_tokens_per_turn ' +
    'cached_tokens_per_turn tool_output_tokens_per_turn ' +
    // xAI, Perplexity, Mistral, Gemini, Cohere.
    'num_sources_used num_server_side_tools_used cost_in_usd_ticks context_details ' +
    'server_side_tool_usage_details web_search_calls x_search_calls code_interpreter_calls file_search_calls ' +
    'mcp_calls document_search_calls citation_tokens num_search_queries search_context_size input_tokens_cost ' +
    'output_tokens_cost citation_tokens_cost reasoning_tokens_cost request_cost search_queries_cost total_cost ' +
    'prompt_audio_seconds prompt_token_details num_cached_tokens extra_properties google traffic_type ' +
    'tool_use_prompt_tokens thoughts_tokens billed_units search_units tokens'
  ).split(' '),
)

export const isUsageName = (name: string): boolean => NAMES.has(name)
