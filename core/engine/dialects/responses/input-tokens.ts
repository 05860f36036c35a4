import { GatewayError } from '../../contract/errors.ts'
import type { Usage } from '../../contract/plugin.ts'
import type { JsonDocument } from '../../json/strict.ts'
import { JsonReply } from '../json-reply.ts'
import { count } from '../walk.ts'
import { kind } from './shapes.ts'

/** The number of tokens of a request. */
export class InputTokens extends JsonReply {
  /** Counting is free. */
  override get usage(): Usage {
    return { prompt: 0, completion: 0, estimated: false }
  }

  /** @throws GatewayError GW_UPSTREAM_INVALID */
  constructor(text: string, document: JsonDocument) {
    super(text, document, { name: 'number of tokens', known: { object: kind, input_tokens: count } })
    if (typeof this.tree.input_tokens !== 'number') {
      throw new GatewayError(
        'GW_UPSTREAM_INVALID',
        'The provider answered 200 with a body that is no number of tokens.',
      )
    }
  }
}
