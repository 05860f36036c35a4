import type { GovernanceEvent } from '../../engine/contract/plugin.ts'
import { text } from './types.ts'

/** Of events written before they named it, when chat was the only API. */
const FIRST = 'POST /v1/chat/completions'

export interface Operation {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** The path as a name: `chat-completions`. */
  readonly service: string
}

/** The API operation of an exchange. */
export function operationOf(event: GovernanceEvent): Operation {
  const named = text(event, 'operation') ?? FIRST
  const operation = /^[A-Z]{3,7} \/\S+$/.test(named) ? named : FIRST
  const space = operation.indexOf(' ')
  const path = operation.slice(space + 1)
  const service = path
    .replace(/^\/(?:v1\/)?/, '')
    .replaceAll('/{id}', '')
    .replaceAll('/', '-')
  return { operation, method: operation.slice(0, space), path, service }
}
