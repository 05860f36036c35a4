import { GatewayError } from '../contract/errors.ts'
import type { RequestDocument } from '../dialects/dialect.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { IssuedIds } from '../exchange/issued-ids.ts'
import type { Candidate } from '../upstreams/model-routes.ts'

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
  if (references.length > MOST) throw notFound(references[MOST]?.param)
  let open = candidates
  for (const { id, param } of references) {
    const issued = await ids.find(id, x.caller.keyId)
    if (issued === undefined) throw notFound(param)
    open = open.filter(({ upstream }) => upstream.name === issued.upstream)
    if (open.length === 0) throw notFound(param)
    x.raise(issued.label, 'earlier_turn')
  }
  return open
}

const notFound = (param = 'input'): GatewayError =>
  new GatewayError('GW_REFERENCE_NOT_FOUND', 'This key made no such response, item or conversation.', { param })
