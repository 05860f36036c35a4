import assert from 'node:assert/strict'
import type { Outcome } from '../../engine/contract/plugin.ts'
import { isObject } from '../../engine/util/is-object.ts'
import type { AssembledChoice, JsonObject } from './client.ts'
import type { PluginResult } from './rig.ts'

/** The expected result of a case. Compares only the given members of objects. */
export interface Expectation {
  /** How it ended: `completed`, `blocked`, `rejected`, `answered` … */
  readonly outcome?: Outcome
  /** HTTP status; for a stream blocked after its first byte, 200 is accepted. */
  readonly status?: number
  /** Content of the first choice. */
  readonly text?: string | RegExp
  /** Content, reasoning, tool calls … of each choice. */
  readonly choices?: readonly Partial<AssembledChoice>[]
  /** Number of findings by type, such as `{ email: 2 }`; `{}` for none. */
  readonly detections?: Readonly<Record<string, number>>
  /** The reason of a block, as shown to the client. */
  readonly reason?: string | RegExp
  /** Members of `error`; `null`: there is none. */
  readonly error?: JsonObject | null
  /** Members of `service`. */
  readonly service?: JsonObject
  /** Label of the request. */
  readonly label?: string
  /** Headers of the reply. */
  readonly headers?: Readonly<Record<string, string>>
  /** Event types that must occur; with a leading `!`, must not occur. */
  readonly events?: readonly string[]
  /** Members of the body that the provider received; `null`: it was not called. */
  readonly sent?: JsonObject | null
}

/** Members of an expectation. A misspelt one would expect nothing. */
export const EXPECTED: readonly (keyof Expectation)[] = [
  ...(['outcome', 'status', 'text', 'choices', 'detections', 'reason', 'error', 'service', 'label'] as const),
  ...(['headers', 'events', 'sent'] as const),
]

const partial: (actual: unknown, expected: unknown, message: string) => void = (
  assert as unknown as { partialDeepStrictEqual(actual: unknown, expected: unknown, message: string): void }
).partialDeepStrictEqual

const show = (value: unknown): string => JSON.stringify(value)

/** Compares one result with the expectation. */
export function checkResult(name: string, result: PluginResult, expected: Expectation): void {
  checkFailures(name, result, expected)
  const says = (what: string, got: unknown) => `${name}: ${what}; got ${show(got)}`
  const { outcome, status, text, choices, detections, reason, error, label, events } = expected
  if (outcome !== undefined) assert.equal(result.outcome, outcome, says(`expected to be ${outcome}`, result.outcome))
  if (status !== undefined && !isLateBlock(result)) {
    assert.equal(result.status, status, says(`expected status ${status}`, result.status))
  }
  if (text !== undefined) matches(result.text, text, `${name}: the text`)
  if (choices !== undefined) partial(result.choices, choices, says('other choices', result.choices))
  if (detections !== undefined) {
    assert.deepEqual(counts(result), detections, says('other detections', counts(result)))
  }
  if (reason !== undefined) matches(String(result.error?.reason), reason, `${name}: the reason`)
  if (error === null) assert.equal(result.error, undefined, says('expected no error', result.error))
  else if (error !== undefined) partial(result.error, error, says('another error', result.error))
  if (label !== undefined) assert.equal(result.label, label, says(`expected the label ${label}`, result.label))
  checkParts(name, result, expected)
  for (const event of events ?? []) checkEvent(name, result, event)
}

/** A plugin may fail only where the case expects it: by its status, error or event. */
function checkFailures(
  name: string,
  { failures }: PluginResult,
  { status = 0, error, events = [] }: Expectation,
): void {
  if (failures.length === 0 || status >= 500 || isObject(error) || events.includes('plugin.failed')) return
  assert.fail(`${name}: ${failures.join('; ')}. If that is meant, expect status 503 or the event plugin.failed.`)
}

function checkParts(name: string, result: PluginResult, { service, headers, sent }: Expectation): void {
  if (service !== undefined) partial(result.service, service, `${name}: another service; got ${show(result.service)}`)
  if (headers !== undefined) partial(result.headers, headers, `${name}: other headers; got ${show(result.headers)}`)
  if (sent === null) assert.equal(result.sent, undefined, `${name}: the provider was asked`)
  else if (sent !== undefined) {
    partial(result.sent?.body, sent, `${name}: the provider got another body: ${show(result.sent?.body)}`)
  }
}

function checkEvent(name: string, result: PluginResult, event: string): void {
  const types = result.events.map(({ type }) => type)
  const wanted = !event.startsWith('!')
  const type = wanted ? event : event.slice(1)
  const got = types.join(', ') || 'none'
  assert.equal(types.includes(type), wanted, `${name}: expected ${wanted ? '' : 'no '}${type}; got ${got}`)
}

function matches(actual: string, expected: string | RegExp, what: string): void {
  if (typeof expected === 'string') assert.equal(actual, expected, `${what} is ${show(actual)}, not ${show(expected)}`)
  else assert.match(actual, expected, `${what} is ${show(actual)}, which does not match ${expected}`)
}

/** The status was sent before the block. */
const isLateBlock = ({ status, outcome, error }: PluginResult): boolean =>
  status === 200 && error !== undefined && (outcome === 'blocked' || outcome === 'upstream_failed')

function counts({ detections }: PluginResult): Record<string, number> {
  const out: Record<string, number> = {}
  for (const { type, count } of detections) out[type] = (out[type] ?? 0) + count
  return out
}

/** Compares a stream with the buffered answer. */
export function checkSame(name: string, result: PluginResult, first: PluginResult): void {
  assert.equal(result.outcome, first.outcome, `${name}: ended ${result.outcome}, buffered ${first.outcome}`)
  assert.deepEqual(errorOf(result), errorOf(first), `${name}: another error than buffered`)
  if (result.outcome !== 'completed' && result.outcome !== 'answered') return
  assert.deepEqual(sorted(result), sorted(first), `${name}: other detections than buffered`)
  assert.deepEqual(result.choices, first.choices, `${name}: another reply than buffered`)
}

const errorOf = ({ error }: PluginResult) =>
  error === undefined ? undefined : { type: error.type, code: error.code, message: error.message, reason: error.reason }

const sorted = ({ detections }: PluginResult) => detections.map(show).toSorted()

/** Checks every exchange, including one whose client left. */
export function checkInvariants(name: string, result: PluginResult, whole: PluginResult | undefined): void {
  const terminal = result.events.filter(({ type }) => TERMINAL.test(type))
  if (result.events.length > 0) {
    assert.equal(terminal.length, 1, `${name}: ${terminal.length} terminal events: ${show(terminal)}`)
  }
  if (result.outcome !== 'aborted' || whole?.outcome !== 'completed') return
  for (const [index, { content }] of result.choices.entries()) {
    const full = whole.choices[index]?.content ?? ''
    assert.ok(full.startsWith(content), `${name}: ${show(content)} got out, which is not in the whole reply`)
  }
}

const TERMINAL = /^(request\.(completed|blocked|rejected)|response\.blocked|stream\.aborted|upstream\.failed)$/
