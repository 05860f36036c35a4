import { mayUse } from '../access/keyring.ts'
import { GatewayError } from '../contract/errors.ts'
import { DIALECTS } from '../dialects/index.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { Candidate } from '../upstreams/candidate.ts'
import type { Runtime } from './runtime.ts'

/**
 * The upstreams that may answer the request's model, in order of preference.
 *
 * @param owned the request names content that one of them keeps
 */
export function candidatesFor(
  { routes }: Runtime,
  { principal, request, dialect }: ChatExchange,
  owned: boolean,
): readonly Candidate[] {
  const { model } = request
  if (!mayUse(principal, model)) {
    throw new GatewayError('GW_MODEL_NOT_ALLOWED', `This key may not use the model '${shown(model)}'.`, {
      param: 'model',
    })
  }
  const candidates = routes.candidates(model, dialect.name, principal.maxClassification, owned)
  if (candidates === undefined) {
    throw new GatewayError('GW_MODEL_NOT_FOUND', `No route takes the model '${shown(model)}'.`, { param: 'model' })
  }
  if (candidates.length === 0) throw otherShape(model, routes.shapesFor(model))
  return candidates
}

/** The model's route has upstreams, but none for this API. */
function otherShape(model: string, shapes: readonly string[]): GatewayError {
  const paths = DIALECTS.filter(({ name }) => shapes.includes(name)).map(({ path }) => path)
  const where = paths.length === 0 ? 'anywhere in this gateway' : `here, only at ${paths.join(', ')}`
  return new GatewayError('GW_SHAPE_NOT_SERVED', `The model '${shown(model)}' is not served ${where}.`, {
    param: 'model',
  })
}

/** The model name is the client's text: shortens it and replaces control characters. */
const shown = (model: string): string => model.slice(0, 128).replace(/[^\x20-\x7e]/g, '?')
