/** Names of the OpenTelemetry conventions for generative AI, v1.41.1. */
import type { UpstreamAttempt } from '../engine/contract/plugin.ts'

const OPERATIONS: readonly [part: string, name: string][] = [
  ['/embeddings', 'embeddings'],
  ['/moderations', 'moderation'],
  ['/chat/completions', 'chat'],
  ['/completions', 'text_completion'],
]

/** `gen_ai.operation.name` of an exchange's `operation`. */
export const operationName = (operation: string): string =>
  OPERATIONS.find(([part]) => operation.includes(part))?.[1] ?? 'chat'

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
  const host = address?.replace(/:\d+$/, '')
  return HOSTS.find(([end]) => host?.endsWith(end))?.[1] ?? KINDS[kind] ?? kind
}
