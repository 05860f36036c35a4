import { isGatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'
import { parseBodyInSteps } from '../json/in-steps.ts'
import { type Beginnings, OutlinedDocument } from '../json/outlined.ts'
import { type JsonDocument, type JsonObject, parseStrict, textOf } from '../json/strict.ts'
import type { Steps } from '../util/steps.ts'

/** What of a large body is read at once, bytes. */
const AT_ONCE = 128 * 1024
/** A JSON value takes at least 1.5 bytes, as they are counted: `[],` are two. */
const BYTES_PER_VALUE = 1.5

/** How an API reads bodies that begin as earlier ones. */
export interface Reading<R> {
  /** The arrays that may begin so. */
  readonly arrays: ReadonlySet<string>
  /** Checks a body. @throws GatewayError GW_INVALID_PARAMETER */
  check(document: JsonDocument): R
  /** What is to be known of an element without reading it; undefined if it must be read. */
  noteOf(member: string, element: JsonObject): string | undefined
  /** How many elements of an array are to be known again; all by default. */
  lastOf?(member: string, elements: readonly Json[]): number
}

/** Reads a body. @throws GatewayError GW_INVALID_JSON, GW_INVALID_PARAMETER */
export function readBody<R>(body: Buffer, reading: Reading<R>, beginnings?: Beginnings): R {
  const known = beginnings && readKnown(() => OutlinedDocument.read(body, reading.arrays, beginnings), reading)
  return known ?? reading.check(parseStrict(body))
}

/** Like `readBody`, for a large body with at most `maxValues` JSON values. Returns how many it has; 0 if few can be new. */
export function* readBodyInSteps<R>(
  body: Buffer,
  maxValues: number,
  reading: Reading<R>,
  beginnings?: Beginnings,
): Steps<{ readonly request: R; readonly values: number }> {
  const suits = beginnings !== undefined && body.length <= BYTES_PER_VALUE * maxValues
  if (suits) {
    const { arrays } = reading
    const known = readKnown(() => OutlinedDocument.readKnown(body, arrays, beginnings, AT_ONCE), reading)
    if (known !== undefined) return { request: known, values: 0 }
    yield
  }
  const text = textOf(body)
  yield
  const document = yield* parseBodyInSteps(text, maxValues)
  yield
  const { values, tree } = document
  if (!suits) return { request: reading.check(document), values }
  const outlined = OutlinedDocument.of(body, tree as JsonObject, reading.arrays, beginnings)
  yield
  const request = reading.check(outlined ?? document)
  outlined?.keep(reading.noteOf, reading.lastOf)
  return { request, values }
}

/** Undefined if the body must be read as a whole, because errors give positions in it. */
function readKnown<R>(open: () => OutlinedDocument | undefined, reading: Reading<R>): R | undefined {
  try {
    const document = open()
    if (document === undefined) return undefined
    const request = reading.check(document)
    document.keep(reading.noteOf, reading.lastOf)
    return request
  } catch (cause) {
    if (isGatewayError(cause)) return undefined
    throw cause
  }
}

/** The body, with 0 for each known element. */
export const outlineOf = (document: JsonDocument): Json =>
  document instanceof OutlinedDocument ? document.outline : document.tree

/** Number of known elements at the start of an array. */
export const knownOf = (document: JsonDocument, member: string): number =>
  document instanceof OutlinedDocument ? document.known(member) : 0
