import type { Json } from '../../contract/plugin.ts'
import { FieldList, isObject } from '../../json/fields.ts'
import { type Edit, splice } from '../../json/splice.ts'
import { type JsonObject, parseStrictText } from '../../json/strict.ts'
import type { PassedError } from '../dialect.ts'
import { isOwnName } from '../provider-error.ts'
import { all, members, objectOf, shaped, type Walk } from '../walk.ts'
import { typeOfStatus } from './wire.ts'
import { isErrorType } from './words.ts'

const error: Walk = objectOf({ type: shaped(isErrorType), message: all('error'), details: all('error') }, 'error')

/**
 * An error for the client. Agents know some of its sentences and recover from them, so it goes on as it is. What
 * clients read as the gateway's own is not the provider's to say: its `service`, its request id, and names of errors.
 */
export function passedError(text: string, status: number, requestId: string): PassedError | undefined {
  const sent = readError(text)
  if (sent === undefined) return undefined
  const { type, details } = sent.error as JsonObject
  const json = JSON.stringify(requestId)
  const edits: Edit[] = [
    { kind: 'remove', path: ['service'] },
    sent.request_id === undefined
      ? { kind: 'insert', path: [], name: 'request_id', json }
      : { kind: 'replace', path: ['request_id'], json },
  ]
  if (isOwnName(type)) {
    edits.push({ kind: 'replace', path: ['error', 'type'], json: JSON.stringify(typeOfStatus(status)) })
  }
  if (isObject(details) && isOwnName(details.error_code)) {
    edits.push({ kind: 'remove', path: ['error', 'details', 'error_code'] })
  }
  const own = splice(text, edits)
  const { request_id: _, ...provider } = readError(own) as JsonObject
  const list = new FieldList(own)
  members(list, [], provider, { type: shaped(isErrorType), error })
  return { text: own, fields: list.fields }
}

function readError(text: string): JsonObject | undefined {
  let tree: Json
  try {
    ;({ tree } = parseStrictText(text))
  } catch {
    return undefined
  }
  return isObject(tree) && tree.type === 'error' && isObject(tree.error) ? tree : undefined
}
