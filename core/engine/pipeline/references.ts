import { GatewayError } from '../contract/errors.ts'
import type { Reference, RequestDocument } from '../dialects/dialect.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { IssuedIds } from '../exchange/issued-ids.ts'
import type { Candidate } from '../upstreams/candidate.ts'

/** Ids that one request may name. */
const MOST = 1024

/**
 * Content that a request names by its id must come from this key. The request goes to the upstream that has it, and its
 * label starts at that of the earlier request.
 *
 * @throws GatewayError GW_REFERENCE_NOT_FOUND, the same for unknown ids and those of other keys
 */
export async function resolveReferences(
  ids: IssuedIds,
  { references = [] }: RequestDocument,
  x: ChatExchange,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (references.length === 0) return candidates
  if (references.length > MOST) throw notFound(references[MOST])
  const found = await Promise.all(references.map(({ id }) => ids.find(id, x.caller.keyId)))
  let open = candidates
  for (const [i, reference] of references.entries()) {
    const issued = found[i]
    if (issued === undefined) throw notFound(reference)
    open = open.filter(({ upstream }) => upstream.name === issued.upstream)
    if (open.length === 0) throw notFound(reference)
    // Deleting must stay possible even if the label is now too high for the upstream.
    if (x.dialect.method !== 'DELETE') x.raise(issued.label, 'earlier_turn')
  }
  return open
}

/**
 * Sealed texts that this key got through the gateway hold what a model made of inspected requests. Only `mode=strict`
 * looks them up: it refuses all others. Elsewhere they are warned of.
 */
export async function trustSeals(ids: IssuedIds, x: ChatExchange): Promise<void> {
  const { seals = [] } = x.request
  if (seals.length === 0) return
  const labels = await ids.findSeals(seals, x.caller.keyId)
  for (const label of labels) x.raise(label, 'earlier_turn')
  x.request.trust(labels.length)
}

/**
 * The model of the request that made a stored reply of this key.
 *
 * @throws GatewayError GW_REFERENCE_NOT_FOUND
 */
export async function storedModel(ids: IssuedIds, id: string, keyId: string): Promise<string> {
  const issued = await ids.find(id, keyId)
  if (issued === undefined || issued.model === '') throw notFound({ param: 'response_id' })
  return issued.model
}

const notFound = ({ param = 'input', why }: Partial<Reference> = {}): GatewayError =>
  new GatewayError('GW_REFERENCE_NOT_FOUND', why ?? 'This key has no such response or item.', { param })
