import type { Kind } from './types.ts'

/** Model providers and their tools. */
export const AI: readonly Kind[] = [
  { type: 'anthropic_api_key', patterns: ['sk-ant-[A-Za-z0-9]{2,10}-[\\w-]{20,}'] },
  { type: 'openrouter_api_key', patterns: ['sk-or-v1-[0-9a-f]{32,}', 'sk-or-[\\w-]{32,}'] },
  { type: 'langfuse_secret_key', patterns: ['sk-lf-[0-9a-f-]{36}'] },
  { type: 'litellm_virtual_key', patterns: ['sk-litellm-[\\w-]{16,}'] },
  // DeepSeek, Moonshot, DashScope and most compatible servers use the same format.
  {
    type: 'openai_api_key',
    patterns: [
      'sk-proj-[\\w-]{20,}',
      'sk-svcacct-[\\w-]{20,}',
      'sk-admin-[\\w-]{20,}',
      'sk-None-[\\w-]{20,}',
      'sk-[A-Za-z0-9]{20,}',
    ],
  },
  { type: 'huggingface_token', patterns: ['hf_[A-Za-z0-9]{30,40}', 'api_org_[A-Za-z0-9]{30,40}'], capitals: true },
  { type: 'replicate_token', patterns: ['r8_[\\w-]{32,40}'] },
  { type: 'groq_api_key', patterns: ['gsk_[A-Za-z0-9]{40,60}'] },
  { type: 'xai_api_key', patterns: ['xai-[A-Za-z0-9_]{60,100}'] },
  { type: 'perplexity_api_key', patterns: ['pplx-[A-Za-z0-9]{40,60}'] },
  { type: 'fireworks_api_key', patterns: ['fw_[A-Za-z0-9]{22,24}'], entropy: 3 },
  { type: 'nvidia_api_key', patterns: ['nvapi-[\\w-]{40,80}'] },
  { type: 'cerebras_api_key', patterns: ['csk-[a-z0-9]{40,56}'] },
  { type: 'langsmith_api_key', patterns: ['lsv2_pt_[0-9a-f]{32}_[0-9a-f]{10}', 'lsv2_sk_[0-9a-f]{32}_[0-9a-f]{10}'] },
  { type: 'pinecone_api_key', patterns: ['pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,80}'] },
  { type: 'elevenlabs_api_key', patterns: ['sk_[0-9a-f]{48}'] },
  { type: 'tavily_api_key', patterns: ['tvly-[\\w-]{24,60}'] },
  { type: 'jina_api_key', patterns: ['jina_[\\w-]{48,80}'] },
  { type: 'firecrawl_api_key', patterns: ['fc-[0-9a-f]{32}'] },
  { type: 'e2b_api_key', patterns: ['e2b_[0-9a-f]{40}'] },
  { type: 'together_api_key', patterns: ['tgp_v1_[\\w-]{36,60}'] },
  { type: 'wandb_api_key', patterns: ['wandb_v1_[\\w-]{40,}'] },
  { type: 'voyage_api_key', patterns: ['pa-[A-Za-z0-9_-]{43}'], entropy: 4 },
  { type: 'vertex_express_key', patterns: ['AQ\\.Ab8[\\w-]{40,60}'] },
  { type: 'logfire_token', patterns: ['pylf_v1_us_[A-Za-z0-9]{30,}', 'pylf_v1_eu_[A-Za-z0-9]{30,}'] },
  { type: 'apify_token', patterns: ['apify_api_[A-Za-z0-9-]{36,40}'] },
]
