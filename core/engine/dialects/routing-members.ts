import { GatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../json/fields.ts'
import type { JsonObject } from '../json/strict.ts'

/**
 * Members with which a router behind an upstream would take another model, server or credential than those that the
 * gateway checked: of OpenRouter, LiteLLM, the Vercel AI Gateway, Groq and the Messages API.
 */
const MEMBERS: ReadonlySet<string> = new Set(
  (
    'models fallbacks fallback_models fallback_model context_window_fallbacks context_window_fallback_dict ' +
    'content_policy_fallbacks default_fallbacks route router provider providers provideroptions plugins preset ' +
    'model_list user_config router_settings_override custom_llm_provider deployment_id compound_custom ' +
    'api_base base_url api_key api_version api_type organization region_name deployment_url sagemaker_base_url ' +
    's3_endpoint_url headers extra_headers'
  ).split(' '),
)
/** Beginnings of the names of such members. */
const BEGINNINGS = ['litellm_', 'aws_', 'azure_', 'vertex_']

/**
 * Refuses the members of a body that choose another model, server or credential, in any case of letters. Empty ones pass.
 * Routers merge `extra_body` into the body, so it is checked like it, and may not name a model.
 *
 * @throws GatewayError GW_INVALID_PARAMETER
 */
export function refuseRouting(body: JsonObject): void {
  let path = ''
  for (let object: Json | undefined = body; isObject(object); object = object.extra_body, path += 'extra_body.') {
    for (const key in object) {
      const name = routingName(key, path !== '')
      if (name === undefined || isEmpty(object[key])) continue
      const param = `${path}${name}`
      throw new GatewayError(
        'GW_INVALID_PARAMETER',
        `The gateway does not pass on '${param}': it chooses a model, server or credential that the gateway cannot check. ` +
          "Leave it out, name the model in 'model', and have other upstreams configured in 'routes'.",
        { param },
      )
    }
  }
}

/** Name of such a member as the list has it, without other text of the client; undefined for other members. */
function routingName(key: string, isInner: boolean): string | undefined {
  const folded = key.toUpperCase().toLowerCase()
  if (MEMBERS.has(folded) || (isInner && folded === 'model')) return folded
  const beginning = BEGINNINGS.find((one) => folded.startsWith(one))
  return beginning === undefined ? undefined : `${beginning}*`
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)
