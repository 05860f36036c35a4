/** Sends a copy of a request to a second upstream, inspects and measures the reply, and drops it. */
import { isTapped } from '../contract/hooks.ts'
import type { Json, Outcome } from '../contract/plugin.ts'
import type { RequestDocument } from '../dialects/dialect.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { MirrorExchange } from '../exchange/mirror-exchange.ts'
import { isLarge } from '../exchange/request.ts'
import { summarise } from '../exchange/service-member.ts'
import { relay } from '../relay/attempt.ts'
import { type Ending, ReplyContext } from '../relay/context.ts'
import { asGatewayError, endAfter, failExchange } from '../relay/endings.ts'
import type { Candidate, Mirror, MirrorResult } from '../upstreams/candidate.ts'
import { nextTurn } from '../util/next-turn.ts'
import { stepByStep } from '../util/steps.ts'
import { postResponse, recordEnd } from './last-steps.ts'
import { Nowhere } from './nowhere.ts'
import type { Runtime } from './runtime.ts'

/** Call when the request was sent. Returns at once; what follows happens in later turns of the event loop. */
export function mirror(
  runtime: Runtime,
  x: ChatExchange,
  document: RequestDocument,
  to: Mirror,
  region: string | undefined,
): void {
  if (runtime.leaving.aborted || !isCopyable(document)) return
  const { principal, label, residualLabel, dialect, request } = x
  const copied = { shape: dialect.name, bytes: request.bytes, region, keyCeiling: principal.maxClassification }
  if (!to.wants({ ...copied, label, residualLabel })) return
  const entered = to.enter({ ...copied, label, residualLabel })
  if (typeof entered === 'string') return to.count(entered)
  runtime.exchanges.enter()
  void new Copy(runtime, x, to, entered)
    .run()
    .catch((error: unknown) => {
      asGatewayError(x, error)
      to.count('failed')
    })
    .finally(() => {
      to.leave()
      runtime.exchanges.leave()
    })
}

/** Excludes requests that name or create stored content: the other provider does not have it, and no client could delete the mirror's. */
const isCopyable = ({ references = [], seals = [], stored, isKept }: RequestDocument): boolean =>
  references.length === 0 && seals.length === 0 && stored === undefined && isKept !== true

class Copy {
  readonly #runtime: Runtime
  readonly #of: ChatExchange
  readonly #to: Mirror
  readonly #candidate: Candidate
  readonly #over = Promise.withResolvers<void>()
  /** A plugin that counts its use keeps it from being sent. */
  #isRefused = false

  constructor(runtime: Runtime, of: ChatExchange, to: Mirror, candidate: Candidate) {
    this.#runtime = runtime
    this.#of = of
    this.#to = to
    this.#candidate = candidate
  }

  async run(): Promise<void> {
    await nextTurn()
    const x = await this.#copy()
    const { leaving } = this.#runtime
    if (x === undefined || leaving.aborted) return
    const context = this.#contextOf(x)
    const onLeaving = () => context.gone('gateway_stopped')
    leaving.addEventListener('abort', onLeaving, { once: true })
    try {
      const isFree = await this.#reserve(x)
      if (!context.decided()) return
      if (isFree) this.#send(context)
      else context.finish('rejected', {}, () => this.#over.resolve())
    } catch (error) {
      if (context.decided()) failExchange(context, asGatewayError(x, error))
    } finally {
      await this.#over.promise
      leaving.removeEventListener('abort', onLeaving)
    }
  }

  /** The request as it was sent; undefined if that became too large. */
  async #copy(): Promise<MirrorExchange | undefined> {
    const { request, dialect } = this.#of
    const turn = () => nextTurn()
    const body = await request.bodyFor(false, request.model, turn)
    if (body.length > this.#to.config.max_bytes) {
      this.#to.count('too_large')
      return undefined
    }
    const { max_json_values: most } = this.#runtime.config.listen
    const document = isLarge(body)
      ? await stepByStep(dialect.readRequestInSteps(body, most), turn)
      : dialect.readRequest(body)
    const x = new MirrorExchange(this.#of, body, document)
    await x.request.closeInput(turn)
    await x.request.close(turn)
    const { upstream, rename } = this.#candidate
    x.request.targets = [{ upstream: upstream.name, model: x.request.modelFor(rename) }]
    return x
  }

  #contextOf(x: MirrorExchange): ReplyContext {
    const { relaySettings, leaving } = this.#runtime
    return new ReplyContext({
      x,
      out: new Nowhere(x, () => this.#over.resolve()),
      settings: { ...relaySettings, keepAliveMs: 0 },
      stopped: leaving,
      conclude: (context, ending) => this.#conclude(context, x, ending),
      onOver: () => {},
    })
  }

  /** Budgets take what the copy may use, before it is sent. */
  async #reserve(x: MirrorExchange): Promise<boolean> {
    const { final } = x.chain.block
    const stop = (isTapped(final as never) ? await final.promise(x) : undefined) ?? (await x.chain.recorder.begin(x))
    this.#isRefused = stop !== undefined
    return !this.#isRefused
  }

  #send(context: ReplyContext): void {
    endAfter(context, this.#to.config.timeout_seconds)
    relay(context, [this.#candidate])
  }

  #conclude(context: ReplyContext, x: MirrorExchange, ending: Ending): void {
    postResponse(x, () => {
      this.#note(x, ending)
      recordEnd(x, () => {
        context.sendLast(ending.lastBytes)
        this.#over.resolve()
      })
    })
  }

  #note(x: MirrorExchange, { outcome, details }: Ending): void {
    const { attempt, verdict = outcome === 'blocked' ? details : undefined } = x
    const result = this.#isRefused ? 'refused' : verdict === undefined ? resultOf(outcome) : 'blocked'
    this.#to.count(result)
    if (attempt === undefined) return
    const { usage, cost } = x.reply
    const detections = summarise(x)
    const since = (at: number | undefined) => (at === undefined ? undefined : Math.round(at - attempt.startedAt))
    const payload: Record<string, Json | undefined> = {
      mirror: this.#candidate.upstream.name,
      mirror_model: this.#candidate.rename,
      result,
      status: attempt.status !== undefined && attempt.status < 600 ? attempt.status : undefined,
      code: details.code,
      policy: verdict?.policy,
      reason: verdict?.reason,
      stream: x.request.stream,
      detections: detections.length === 0 ? undefined : detections,
      output_classification: x.outputLabel,
      tokens: usage === undefined ? undefined : { prompt: usage.prompt, completion: usage.completion },
      cost,
      latency_ms: since(performance.now()),
      first_byte_ms: since(x.firstByteAt ?? attempt.firstByteAt),
    }
    this.#of.note('upstream.mirrored', payload)
  }
}

const resultOf = (outcome: Outcome): MirrorResult =>
  outcome === 'completed' || outcome === 'aborted' ? outcome : 'failed'
