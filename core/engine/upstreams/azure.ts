/** How Azure names models and paths: https://learn.microsoft.com/azure/ai-foundry/openai/reference */
import type { UpstreamConfig } from '../config/types.ts'
import type { Dialect, StoredTarget } from '../dialects/dialect.ts'

type AzureConfig = Pick<UpstreamConfig, 'kind' | 'api_version' | 'deployments'>

/** The name of a model at its provider. */
export const nameAt = ({ kind, deployments }: AzureConfig, model: string): string =>
  kind === 'azure' && deployments !== undefined && Object.hasOwn(deployments, model)
    ? (deployments[model] as string)
    : model

/** The path of a request below the provider's url, with its query. `model` is its name there. */
export function pathAt(
  { kind, api_version: version = 'v1' }: AzureConfig,
  { upstreamPath, otherPaths }: Pick<Dialect, 'upstreamPath' | 'otherPaths'>,
  model: string,
  stored?: StoredTarget,
): string {
  const own = stored === undefined ? upstreamPath : upstreamPath.replace('{id}', () => segment(stored.id))
  const query = stored?.query ?? ''
  if (kind !== 'azure') return own + query
  if (version === 'v1') return `/openai/v1${own}${query}`
  const all = query === '' ? `?api-version=${version}` : `${query}&api-version=${version}`
  if (!/^\d/.test(version)) return `/openai/v1${own}${all}`
  const isDeployed = otherPaths?.some((path) => path.includes('/deployments/')) === true
  return `/openai${isDeployed ? `/deployments/${segment(model)}` : ''}${own}${all}`
}

/** Dots alone would mean another path, and nothing has such a name. */
const segment = (name: string): string => (/^\.*$/.test(name) ? '-' : encodeURIComponent(name.toWellFormed()))
