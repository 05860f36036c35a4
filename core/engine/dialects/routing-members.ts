import { GatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'

/**
 * Members with which a router or server behind an upstream would take another model, server or credential than those that
 * the gateway checked: of OpenRouter, LiteLLM, the Vercel AI Gateway, Groq, the Messages API, vLLM, SGLang, llama.cpp, LoRAX
 * and TensorRT-LLM.
 */
const MEMBERS: ReadonlySet<string> = new Set(
  (
    'models fallbacks fallback_models fallback_model context_window_fallbacks context_window_fallback_dict ' +
    'content_policy_fallbacks default_fallbacks route router provider providers provideroptions plugins preset ' +
    'model_list user_config router_settings_override custom_llm_provider deployment_id compound_custom ' +
    'api_base base_url api_key api_version api_type organization region_name deployment_url sagemaker_base_url ' +
    's3_endpoint_url headers extra_headers lora_path session_params kv_transfer_params bootstrap_host bootstrap_port ' +
    'bootstrap_room lora adapter_id adapter_source merged_adapters api_token lora_request disaggregated_params'
  ).split(' '),
)
/** Prompts as tokens or vectors, which SGLang, vLLM and TensorRT-LLM take instead of the texts of the API. */
const UNREAD: ReadonlySet<string> = new Set(
  'input_ids prompt_token_ids prompt_token_ids_b64 input_embeds prompt_embeds'.split(' '),
)
/**
 * Values that ask vLLM, SGLang, llama.cpp (`verbose`, `return_tokens`) and TensorRT-LLM (`detokenize`) for nothing more. Any
 * other asks for the reply as tokens beside its texts or instead of them, in members of the reply that no API has.
 */
const AS_TOKENS: ReadonlyMap<string, boolean> = new Map([
  ['enable_response_messages', false],
  ['return_meta_info', false],
  ['return_tokens', false],
  ['verbose', false],
  ['detokenize', true],
])
/** Beginnings of the names of such members. */
const BEGINNINGS = ['litellm_', 'aws_', 'azure_', 'vertex_']

/**
 * Refuses the members of a body that choose another model, server or credential, are a prompt that nobody reads, or ask for
 * such a reply, in any case of letters. Empty ones pass.
 * Routers merge `extra_body` into the body, so it is checked like it, and may have no member that the API knows.
 *
 * @param known members of the API, which are read, checked and inspected at the top level only
 * @throws GatewayError GW_INVALID_PARAMETER
 */
export function refuseRouting(body: JsonObject, known: ReadonlySet<string>, path = ''): void {
  const isInner = path !== ''
  for (const key in body) {
    const value = body[key]
    const folded = key.toUpperCase().toLowerCase()
    if (folded === EXTRA && isObject(value)) refuseRouting(value, known, `${path}${EXTRA}.`)
    if (UNREAD.has(folded) && !isEmpty(value)) throw unread(`${path}${folded}`)
    if (AS_TOKENS.has(folded) && !isEmpty(value) && value !== AS_TOKENS.get(folded)) throw asTokens(`${path}${folded}`)
    const name = routingName(folded, isInner)
    if (name !== undefined && !isEmpty(value)) {
      const param = `${path}${name}`
      throw new GatewayError(
        'GW_INVALID_PARAMETER',
        `The gateway does not pass on '${param}': it chooses a model, server or credential that the gateway cannot check. ` +
          "Leave it out, name the model in 'model', and have other upstreams configured in 'routes'.",
        { param },
      )
    }
    if (!isInner || !(known.has(folded) || folded === 'service')) continue
    const param = `${path}${folded}`
    throw new GatewayError(
      'GW_INVALID_PARAMETER',
      `The gateway does not pass on '${param}': routers merge '${EXTRA}' into the body, where the gateway checks ` +
        `'${folded}'. Put it at the top level.`,
      { param },
    )
  }
}

const EXTRA = 'extra_body'

const unread = (param: string): GatewayError =>
  new GatewayError(
    'GW_INVALID_PARAMETER',
    `The gateway does not pass on '${param}': it is a prompt that plugins cannot read. Send the prompt as text.`,
    { param },
  )

const asTokens = (param: string): GatewayError =>
  new GatewayError(
    'GW_INVALID_PARAMETER',
    `The gateway does not pass on '${param}': it asks for the reply as tokens, which plugins cannot read. Leave it out.`,
    { param },
  )

/** Name of such a member as the list has it, without other text of the client; undefined for other members. */
function routingName(folded: string, isInner: boolean): string | undefined {
  if (MEMBERS.has(folded) || (isInner && folded === 'model')) return folded
  const beginning = BEGINNINGS.find((one) => folded.startsWith(one))
  return beginning === undefined ? undefined : `${beginning}*`
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)
