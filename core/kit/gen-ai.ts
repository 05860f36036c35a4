/** Names of the OpenTelemetry conventions for generative AI, v1.41.1. */
import type { UpstreamAttempt } from '../engine/contract/plugin.ts'

const OPERATIONS: readonly [part: string, name: string][] = [
  ['/embeddings', 'embeddings'],
  ['/moderations', 'moderation'],
  ['/chat/completions', 'chat'],
  ['/completions', 'text_completion'],
]

/** The routes and the providers of a config are few, and asked for with each request. */
const MOST = 1000
const operations = new Map<string, string>()

/** `gen_ai.operation.name` of an exchange's `operation`. */
export function operationName(operation: string): string {
  const known = operations.get(operation)
  if (known !== undefined) return known
  const name = OPERATIONS.find(([part]) => operation.includes(part))?.[1] ?? 'chat'
  if (operations.size < MOST) operations.set(operation, name)
  return name
}

const HOSTS: readonly [host: string, name: string][] = [
  ['.openai.azure.com', 'azure.ai.openai'],
  ['.services.ai.azure.com', 'azure.ai.inference'],
  ['api.anthropic.com', 'anthropic'],
  ['api.openai.com', 'openai'],
  ['.amazonaws.com', 'aws.bedrock'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['aiplatform.googleapis.com', 'gcp.vertex_ai'],
  ['api.mistral.ai', 'mistral_ai'],
  ['api.groq.com', 'groq'],
  ['api.deepseek.com', 'deepseek'],
  ['api.cohere.com', 'cohere'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.x.ai', 'x_ai'],
]
const KINDS: Readonly<Record<string, string>> = { azure: 'azure.ai.openai' }

/** `gen_ai.provider.name`: by the address, otherwise by the kind of the upstream. */
export function providerName({ address, kind }: Pick<UpstreamAttempt, 'address' | 'kind'>): string {
  const known = providers.get(address)
  if (known?.kind === kind) return known.name
  const host = address?.replace(/:\d+$/, '')
  const name = HOSTS.find(([end]) => host?.endsWith(end))?.[1] ?? KINDS[kind] ?? kind
  if (providers.size < MOST) providers.set(address, { kind, name })
  return name
}
const providers = new Map<string | undefined, { readonly kind: string; readonly name: string }>()
