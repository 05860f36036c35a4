import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../access/keyring.ts'
import { CATALOGUE, GatewayError, stackOf } from '../contract/errors.ts'
import { flagsFact, sessionFact } from '../contract/facts.ts'
import { exceeds, higher, isLevel, type Level } from '../contract/labels.ts'
import { withFields } from '../contract/log-fields.ts'
import type {
  Answer,
  Caller,
  DetectionCount,
  Exchange,
  GovernanceEvent,
  Hold,
  Json,
  LimitWant,
  Log,
  Mode,
  Rejection,
  Verdict,
} from '../contract/plugin.ts'
import { contractError, errorOf, isName, isText } from '../contract/results.ts'
import type { Dialect, RequestDocument } from '../dialects/dialect.ts'
import type { Subject } from '../events/emitter.ts'
import { BodyElements } from '../text/element-memory.ts'
import { type BlockRequest, Inspection, type InspectionListener, verdictOf } from '../text/inspection.ts'
import { nextTurn, type TurnTaker } from '../util/next-turn.ts'
import { errorName, type LogSafe, logSafe, logSafeTrace } from '../util/outside.ts'
import type { Chain } from './chain.ts'
import { ExchangeFacts } from './fact-map.ts'
import { ExchangeHolds } from './holds.ts'
import type { RecordedExchange } from './recorder.ts'
import { ReplySide } from './reply.ts'
import { RequestSide } from './request.ts'

export interface ExchangeInit {
  readonly id: string
  readonly principal: Principal
  readonly chain: Chain
  readonly log: Log
  /** The API shape of both client and provider. */
  readonly dialect: Dialect
  readonly body: Buffer
  /** The body as read by the dialect. */
  readonly document: RequestDocument
  readonly headers: IncomingHttpHeaders
  readonly sourceIp: string | undefined
}

/** One request and its reply. Creates what most requests do not need on first use. */
/** What the memo knows of a body. */
function elementsOf({ chain, principal, dialect, body, document }: ExchangeInit): BodyElements | undefined {
  const { memo } = chain
  if (memo === undefined || !BodyElements.suits(memo, body)) return undefined
  return new BodyElements(memo, memo.scopeOf(principal), dialect.name, body, document)
}

export class ChatExchange implements Exchange, InspectionListener, RecordedExchange {
  readonly id: string
  readonly caller: Caller
  readonly principal: Principal
  readonly chain: Chain
  readonly dialect: Dialect
  readonly facts = new ExchangeFacts()
  readonly inspection = new Inspection(this)
  readonly request: RequestSide
  readonly reply: ReplySide
  readonly sourceIp: string | undefined
  /** A `MirrorExchange` has it. */
  readonly mirrorOf: string | undefined = undefined
  readonly startedAt = performance.now()
  label: Level = 'PUBLIC'
  outputLabel: Level = 'PUBLIC'
  /** Label after redaction; for upstreams with `ceiling: after_redaction`. */
  residualLabel: Level = 'PUBLIC'
  /** Rules that raised the request's label. */
  rules: string[] | undefined = undefined
  /** The provider that answers, once chosen. */
  upstream: string | undefined = undefined
  firstByteAt: number | undefined = undefined
  /** Monitor mode: a block was only recorded. */
  flagged = false
  /** Created with the first limit request of a plugin. */
  holds: ExchangeHolds | undefined = undefined
  /** Its events go to the audit log. Decided once, so that both writes agree. */
  readonly audited: boolean
  /** The first of the two writes was attempted. */
  begun = false
  /** The last write has started; later events, such as a passed threshold, are recorded separately. */
  ended = false
  /** Events of the first write while its success is uncertain. */
  unsure: readonly GovernanceEvent[] | undefined = undefined
  /** This process's lease, while the exchange is open in the store. */
  lease: number | undefined = undefined
  /** Number of requests to providers, if observed. */
  attempts = 0
  /** Taps are timed for observers. */
  observed: number | undefined = undefined
  /** Limits are counted only in this process. */
  countedLocally = false
  /** Ends the exchange with an error; set while its reply has a context. */
  canceller: { cancel(error: GatewayError): void } | undefined = undefined
  #records: GovernanceEvent[] | undefined = undefined
  readonly #log: Log
  #taker: TurnTaker | undefined = undefined
  #ownLog: Log | undefined = undefined
  #abort: AbortController | undefined = undefined
  #aborted = false

  constructor(init: ExchangeInit) {
    this.id = init.id
    this.principal = init.principal
    this.caller = init.principal
    this.chain = init.chain
    this.dialect = init.dialect
    this.audited = init.chain.recorder.audited
    this.sourceIp = init.sourceIp
    this.#log = init.log
    const { dialect, body, document } = init
    this.request = new RequestSide(dialect, body, document, init.headers, this.inspection, elementsOf(init))
    this.reply = new ReplySide(this.inspection, (verdict) => this.wouldBlock(verdict))
  }

  get mode(): Mode {
    return (this.facts.get(flagsFact)?.get('mode') as Mode | undefined) ?? 'enforce'
  }

  answer(text: string): Answer {
    return this.request.answer(this.id, text)
  }

  get operation(): string {
    const { dialect } = this
    const known = operations.get(dialect)
    if (known !== undefined) return known
    const operation = `${dialect.method ?? 'POST'} ${dialect.path}`
    operations.set(dialect, operation)
    return operation
  }

  observeTaps(shortestMs = 0): void {
    this.observed = Math.min(this.observed ?? shortestMs, shortestMs)
  }

  raise(level: Level, rule: string, found?: Pick<DetectionCount, 'direction' | 'action'>): void {
    if (!isLevel(level)) throw contractError('raise() takes a label: PUBLIC, INTERNAL, CONFIDENTIAL or RESTRICTED.')
    if (!isName(rule)) throw contractError('raise() takes the name of the rule that raised the label.')
    if (found !== undefined) return this.onLevel(level, found.direction, rule, found.action !== 'detect')
    this.residualLabel = higher(this.residualLabel, level)
    this.#raiseLabel(level, rule)
  }

  #raiseLabel(level: Level, rule: string): void {
    if (!exceeds(level, this.label)) return
    this.label = level
    this.rules ??= []
    this.rules.push(rule)
  }

  onFailure(plugin: string, error: unknown, allowed: boolean, hook: string): void {
    this.note('plugin.failed', {
      plugin,
      hook,
      error: errorName(error),
      allowed,
    })
  }

  onWouldBlock(request: BlockRequest): void {
    this.wouldBlock(verdictOf(request))
  }

  onLevel(level: Level, direction: 'input' | 'output', rule: string, rewritten: boolean): void {
    if (direction === 'output') this.outputLabel = higher(this.outputLabel, level)
    else if (rewritten) this.#raiseLabel(level, rule)
    else this.raise(level, rule)
  }

  get findings(): readonly DetectionCount[] {
    return this.inspection.findings
  }

  flag(name: string): string | number | undefined {
    if (typeof name !== 'string') throw contractError('flag() takes the name of a flag.')
    const owner = this.chain.flags.get(name)?.owner
    const { reporter } = this.inspection
    if (reporter !== undefined && owner !== reporter.name) {
      throw new GatewayError(
        'GW_PLUGIN_CONTRACT',
        `Plugin ${reporter.name} reads the flag '${name}', which it does not declare.`,
      )
    }
    return this.facts.get(flagsFact)?.get(name)
  }

  get log(): Log {
    this.#ownLog ??= withFields(this.#log, { request_id: this.id })
    return this.#ownLog
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.#aborted) this.#abort.abort()
    }
    return this.#abort.signal
  }

  /** Signals plugins that the result is no longer needed. */
  abort(): void {
    this.#aborted = true
    this.#abort?.abort()
  }

  cancel(rejection: Rejection): void {
    const { errors } = this.chain
    if (!isText(rejection?.message) || !(Object.hasOwn(CATALOGUE, rejection.error) || errors.has(rejection.error))) {
      throw contractError(
        'cancel() takes a rejection: { error, message }, with an error of the gateway or of a plugin.',
      )
    }
    this.canceller?.cancel(errorOf(rejection, errors))
  }

  async nextTurn(): Promise<void> {
    const { inspection } = this
    inspection.turnsAhead++
    // A reply keeps no request waiting: it is the end of one that went in.
    if (this.upstream === undefined) this.#taker ??= { key: this.caller.keyId, turns: 0 }
    else this.#taker = undefined
    await nextTurn(this.#taker)
    inspection.turnsAhead--
    inspection.turnedAt = performance.now()
  }

  reserve(want: LimitWant): Hold {
    this.holds ??= new ExchangeHolds(this.id, (owner, call, error) => this.onFailure(owner, error, false, call))
    return this.holds.add(this.inspection.reporter, want)
  }

  dropHolds(): void {
    this.holds = undefined
  }

  takeRecords(): readonly GovernanceEvent[] {
    const records = this.#records ?? []
    this.#records = undefined
    return records
  }

  giveBackRecords(records: readonly GovernanceEvent[]): void {
    this.#records = [...records, ...(this.#records ?? [])]
  }

  emit: Exchange['emit'] = (type, payload) => {
    this.note(type, this.chain.events.admit(this.inspection.reporter?.name, type, payload))
  }

  /** Emits an event of this exchange. Never throws: no caller could handle it. */
  note(type: string, payload: Readonly<Record<string, Json | undefined>>, severity?: 'action' | 'block'): void {
    try {
      this.#note(type, payload, severity)
    } catch (error) {
      this.log.error({ type, error: errorName(error), at: stackOf(error) }, 'an event was recorded without its payload')
      const subject = { request_id: this.id, key_id: this.caller.keyId, code: 'internal_error' }
      this.#record(this.chain.events.build(type, subject))
    }
  }

  #note(type: string, payload: Readonly<Record<string, Json | undefined>>, severity?: 'action' | 'block'): void {
    const event = this.chain.events.buildFor(this.description, type, payload, severity)
    this.chain.events.dispatch(event, this)
    this.#record(event)
  }

  #record(event: GovernanceEvent): void {
    if (!this.audited) return
    if (this.ended) return this.chain.recorder.append(event)
    this.#records ??= []
    this.#records.push(event)
  }

  get description(): Subject {
    const session = this.facts.get(sessionFact)
    const clientId = this.request.headers['x-client-request-id']
    return {
      request_id: this.id,
      client_request_id: clientId === undefined ? undefined : logSafe(clientId),
      trace_id: traceId(this.request.headers.traceparent),
      session_id: session === undefined ? undefined : logSafe(session.id),
      turn_index: session?.turnIndex,
      key_id: this.caller.keyId,
      source_ip: this.sourceIp,
      operation: this.operation,
      model: this.request.shownModel,
      upstream: this.upstream,
      mode: this.mode,
      classification: this.label,
    }
  }

  /** Records a block that monitor mode does not apply. */
  wouldBlock(verdict: Verdict): void {
    this.flagged = true
    this.note('policy.would_block', { policy: verdict.policy, reason: verdict.reason })
  }
}

/** The trace id of a W3C `traceparent`; undefined if absent or invalid. */
function traceId(header: string | undefined): LogSafe | undefined {
  const id = header === undefined ? undefined : TRACEPARENT.exec(header)?.[1]
  return id === undefined ? undefined : logSafeTrace(id)
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

/** Plugins look things up by it, which is slow with a text that was just put together. */
const operations = new WeakMap<Dialect, string>()
