/** The list of models that a key can reach, in the form of OpenAI or of Anthropic. */
import { GatewayError } from '../contract/errors.ts'
import { invalid } from '../dialects/checks.ts'
import type { Model } from '../upstreams/models.ts'
import { CORE_PATHS } from '../util/core-paths.ts'
import type { Call, Router } from './router.ts'

/** The list, and what Azure's clients call it. */
const LISTS = [CORE_PATHS.models, '/openai/v1/models', '/openai/models']
/** Most models of one page of Anthropic's list. */
const MOST = 1000

export function addModels(router: Router): void {
  for (const path of LISTS) {
    router.add('GET', path, { auth: 'user', takesBody: false, handle: allModels })
    const prefix = `${path}/`
    const handle = (call: Call) => oneModel(call, call.path.slice(prefix.length))
    router.addPrefix('GET', prefix, { auth: 'user', takesBody: false, handle })
  }
}

async function allModels({ runtime, req, out, query, principal }: Call): Promise<void> {
  const models = await runtime.models.list(principal)
  const list = isAnthropic(req) ? page(models, new URLSearchParams(query)) : { object: 'list', data: models }
  out.json(200, JSON.stringify(list))
}

async function oneModel({ runtime, req, out, principal }: Call, segment: string): Promise<void> {
  const id = decoded(segment)
  const model = (await runtime.models.list(principal)).find((one) => one.id === id)
  if (model === undefined)
    throw new GatewayError('GW_MODEL_NOT_FOUND', 'This key has no access to such a model.', { param: 'model' })
  out.json(200, JSON.stringify(isAnthropic(req) ? anthropicModel(model) : model))
}

/** All clients of Anthropic's API send this header, and no others do. */
const isAnthropic = ({ headers }: Call['req']): boolean => headers['anthropic-version'] !== undefined

const anthropicModel = ({ id, created, shapes }: Model) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(created * 1000).toISOString().replace('.000Z', 'Z'),
  shapes,
})

/** One page of the list: after a model, or before it. An id that is not in the list is an error, not a first page. */
function page(models: readonly Model[], query: URLSearchParams): object {
  const limit = limitOf(query.get('limit'))
  const [after, before] = [query.get('after_id'), query.get('before_id')]
  const start = after === null ? 0 : positionOf(models, 'after_id', after) + 1
  const end = before === null ? models.length : positionOf(models, 'before_id', before)
  const open = models.slice(start, end)
  const data = (before === null ? open.slice(0, limit) : open.slice(-limit)).map(anthropicModel)
  return {
    data,
    has_more: data.length < open.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

function limitOf(text: string | null): number {
  if (text === null) return MOST
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MOST) throw invalid('limit', `is not a whole number from 1 to ${MOST}`)
  return limit
}

function positionOf(models: readonly Model[], param: string, id: string): number {
  const at = models.findIndex((model) => model.id === id)
  if (at === -1) throw invalid(param, 'names no model of this list')
  return at
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
