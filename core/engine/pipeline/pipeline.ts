import type { IncomingMessage } from 'node:http'
import type { Principal } from '../access/keyring.ts'
import { isTapped } from '../contract/hooks.ts'
import type { Answer, Rejection, Verdict } from '../contract/plugin.ts'
import { isAnswer } from '../contract/results.ts'
import type { Dialect, RequestDocument } from '../dialects/dialect.ts'
import { ChatExchange } from '../exchange/exchange.ts'
import { isLarge } from '../exchange/request.ts'
import { noteDetections, noteTerminal } from '../exchange/terminal.ts'
import { relayAnswer } from '../relay/answer.ts'
import { relay } from '../relay/attempt.ts'
import { aboveCeiling, admitted } from '../relay/ceiling.ts'
import { type Ending, ReplyContext } from '../relay/context.ts'
import { asGatewayError, endAfter, failExchange, stopExchange } from '../relay/endings.ts'
import type { Responder } from '../relay/responder.ts'
import { verdictOf } from '../text/inspection.ts'
import { roomFor } from '../text/large-documents.ts'
import type { Candidate } from '../upstreams/candidate.ts'
import { prefer } from '../upstreams/preference.ts'
import { nextTurn } from '../util/next-turn.ts'
import { stepByStep } from '../util/steps.ts'
import type { Permit } from '../util/weighted-semaphore.ts'
import { type Asked, inRegion, limitOf, readAsked } from './asked.ts'
import { candidatesFor } from './candidates.ts'
import { postResponse, recordEnd } from './last-steps.ts'
import { mirror } from './mirror.ts'
import { resolveReferences, trustSeals } from './references.ts'
import type { Runtime } from './runtime.ts'
import { refuseFailedGuard, refuseTooManyFindings, refuseUninspectable, unlessRejected } from './stops.ts'

/** A request with a valid key, after its body was read. */
export interface Received {
  readonly req: IncomingMessage
  readonly out: Responder
  /** The API shape of the route. */
  readonly dialect: Dialect
  readonly principal: Principal
  readonly body: Buffer
  /** A request without a body, as read. */
  readonly stored?: RequestDocument
}

/**
 * One exchange, from the body to the last byte. Lists every step in order; docs/architecture.md draws them.
 *
 * @throws GatewayError before the exchange begins; nothing is thrown later
 */
export async function handleExchange(runtime: Runtime, received: Received): Promise<void> {
  if (!isLarge(received.body)) return handle(runtime, received)
  // The plugins of the runtime are not stopped meanwhile.
  runtime.exchanges.enter()
  const taker = { key: received.principal.keyId, turns: 0 }
  const room = await roomFor(received.body, () => nextTurn(taker))
  try {
    await room.granted
    await handle(runtime, received, room)
  } finally {
    room.release()
    runtime.exchanges.leave()
  }
}

async function handle(
  runtime: Runtime,
  { req, out, dialect, principal, body, stored }: Received,
  room?: Permit,
): Promise<void> {
  // 1. Strict JSON; checks what the core needs.
  const document =
    stored ??
    (isLarge(body)
      ? await readLarge(runtime, dialect, principal, body)
      : dialect.readRequest(body, beginningsOf(runtime, dialect, principal, body)))
  const asked = readAsked(req.headers, principal)
  // 2. The exchange begins; from here on its end is always recorded.
  const { chain, log, exchanges, ids, relaySettings: settings, stopped } = runtime
  const from = { headers: req.headers, sourceIp: runtime.sourceIp(req) }
  const x = new ChatExchange({ id: out.id, principal, chain, log, dialect, body, document, ...from })
  exchanges.enter()
  const onOver = () => exchanges.leave()
  const context = new ReplyContext({ x, out: out.for(x), settings, ids, stopped, conclude, onOver })
  try {
    // 3. to 11. Everything before the model call.
    const decision = await decide(runtime, context, document, asked, room)
    if (!context.decided()) return
    // 12. The reply of the model, of a plugin, or of the policy that stopped the request. In `relay`, reply texts go
    // through the hook `onChunk`, and each byte leaves when its text is safe.
    if (isCandidates(decision)) {
      send(context, decision, asked)
      mirrorTo(runtime, context, decision, document, asked)
      x.request.rest(context.governs)
    } else if (isAnswer(decision)) await relayAnswer(context, decision, runtime.maxAnswerBytes)
    else stopExchange(context, decision)
  } catch (error) {
    if (!context.decided()) return
    context.source?.abort()
    failExchange(context, asGatewayError(x, error))
  }
}

const beginningsOf = ({ chain }: Runtime, dialect: Dialect, principal: Principal, body: Buffer) =>
  chain.memo?.beginningsOf(principal, dialect.name, body)

/** Reads a large request in turns. */
function readLarge(runtime: Runtime, dialect: Dialect, principal: Principal, body: Buffer): Promise<RequestDocument> {
  const beginnings = beginningsOf(runtime, dialect, principal, body)
  const steps = dialect.readRequestInSteps(body, runtime.config.listen.max_json_values, beginnings)
  const taker = { key: principal.keyId, turns: 0 }
  return stepByStep(steps, () => nextTurn(taker))
}

/** The upstreams to ask, or a reply without the model. */
type Decision = readonly Candidate[] | Answer | Verdict

const isCandidates = (decision: Decision): decision is readonly Candidate[] => Array.isArray(decision)

/** The steps before the model call. A disconnect ends them early, and no upstream is asked. */
async function decide(
  runtime: Runtime,
  context: ReplyContext,
  document: RequestDocument,
  { region }: Asked,
  room: Permit | undefined,
): Promise<Decision> {
  const { x } = context
  const large = x.request.isLarge
  // What a step does with all messages of a large request takes a turn.
  if (large) await x.nextTurn()
  // 3. Hook: flags, sessions, rate limits.
  const waits = preRequest(x)
  if (waits !== undefined) await waits
  if (large) await x.nextTurn()
  if (context.disconnectReason !== undefined) return []
  // 4. Checks that the key may use the model, a route takes it, and content that it names by id is the key's own.
  const owned = (document.references?.length ?? 0) > 0
  const reachable = inRegion(candidatesFor(runtime, x, owned), region)
  const candidates = await resolveReferences(runtime.ids, document, x, reachable)
  if (large) await x.request.walk(() => x.nextTurn())
  // 5. The mode of the exchange is known.
  x.inspection.monitor = x.mode === 'monitor'
  x.inspection.findsHidden = inspects(x)
  x.inspection.maxFindings = runtime.config.inspection.max_findings
  if (x.mode === 'strict') await trustSeals(runtime.ids, x)
  refuseUninspectable(x)
  // 6. Hook: detectors report on every text, and the label rises.
  await classify(x)
  if (context.disconnectReason !== undefined) return []
  // 7. Merges findings. Later findings in the request are not possible.
  refuseFailedGuard(x)
  refuseTooManyFindings(x)
  await x.request.closeInput(() => x.nextTurn())
  const stop =
    // 8. A blocking finding is the first verdict. Then the hook: policies.
    (await block(x)) ??
    // 9. Splices redactions into the body; the label selects the upstreams.
    (await closeRequest(x, candidates).finally(() => room?.release())) ??
    // 10. Hook, final stage: budgets, and answers without the model. They see the request as it will be sent.
    (await blockFinal(x))
  if (context.disconnectReason !== undefined) return []
  // 11. Stores the decision and the reserved amounts before the prompt leaves.
  return stop ?? unlessRejected(x, await x.chain.recorder.begin(x)) ?? candidates
}

/** The steps after the reply, once per exchange. */
export function conclude(context: ReplyContext, ending: Ending): void {
  // 13. Hook: plugins settle usage.
  postResponse(context.x, () => {
    // 14. The terminal event, with the reply's findings and usage.
    const lastBytes = noteEnd(context, ending)
    // 15. The last write in the store; 16. only then the last bytes leave.
    recordEnd(context.x, (isRecorded) => {
      const send = () => (isRecorded ? context.sendLast(lastBytes) : context.sendUnrecorded())
      // Complete replies that continue side by side leave in a row.
      if (context.x.request.stream) send()
      else queueMicrotask(send)
    })
  })
}

const inspects = (x: ChatExchange): boolean => x.chain.readsContent && x.mode !== 'off'

/** Returns a promise only if a tap has one: most have none, and waiting takes turns of the queue of promises. */
function preRequest(x: ChatExchange): Promise<void> | undefined {
  const { preRequest: hook } = x.chain.hooks
  if (!isTapped(hook as never)) return undefined
  let answer: { readonly error: unknown; readonly stop: Rejection | undefined } | undefined
  let wake: (() => void) | undefined
  hook.callAsync(x, (error, stop) => {
    answer = { error, stop }
    wake?.()
  })
  const judge = (): undefined => {
    if (answer?.error) throw answer.error
    unlessRejected(x, answer?.stop)
  }
  return answer === undefined ? new Promise<void>((resolve) => (wake = resolve)).then(judge) : judge()
}

/** Reads long texts in turns, and waits for external verdicts. */
async function classify(x: ChatExchange): Promise<void> {
  const { classify: hook } = x.chain.hooks
  if (!isTapped(hook as never)) return
  const reading = inspects(x) ? x.request.prepare(() => x.nextTurn()) : undefined
  if (reading !== undefined) await reading
  await hook.promise(x)
  await x.request.verdicts()
}

async function block(x: ChatExchange): Promise<Verdict | Answer | undefined> {
  const { inputBlock } = x.inspection
  const found = inputBlock === undefined ? x.reply.blocked : verdictOf(inputBlock)
  const { policies } = x.chain.block
  const stop = found ?? (isTapped(policies as never) ? await policies.promise(x) : undefined)
  if (stop !== undefined) noteDetections(x, 'input', false)
  return unlessRejected(x, stop)
}

/** Enforces upstream ceilings; no mode relaxes them. */
async function closeRequest(x: ChatExchange, candidates: readonly Candidate[]): Promise<Verdict | undefined> {
  await x.request.close(() => x.nextTurn())
  noteDetections(x, 'input')
  const open = preferred(x, candidates)
  x.request.targets = open.map(({ upstream, rename }) => ({
    upstream: upstream.name,
    model: x.request.modelFor(rename),
  }))
  return open.length > 0 ? undefined : aboveCeiling(x, candidates)
}

async function blockFinal(x: ChatExchange): Promise<Verdict | Answer | undefined> {
  const { final } = x.chain.block
  return isTapped(final as never) ? unlessRejected(x, await final.promise(x)) : undefined
}

/** Those that the label admits, in the order in which it asks them. */
function preferred(x: ChatExchange, candidates: readonly Candidate[]): readonly Candidate[] {
  const { candidates: open, reason } = prefer(admitted(x, candidates), x.label)
  x.reply.routing = reason
  return open
}

/** The label may have risen since the request was closed. */
function send(context: ReplyContext, candidates: readonly Candidate[], { timeoutSeconds, region }: Asked): void {
  const { x } = context
  const open = preferred(x, candidates)
  const [first] = open
  if (first === undefined) return stopExchange(context, aboveCeiling(x, candidates))
  if (region !== undefined) x.reply.routing = [`region:${region}`, x.reply.routing].filter(Boolean).join(' ')
  const limit = limitOf(first.plan.timeoutSeconds, timeoutSeconds)
  if (limit !== undefined) endAfter(context, limit)
  relay(context, open)
}

/** The route may want a copy of what was sent. */
function mirrorTo(
  runtime: Runtime,
  { x, over }: ReplyContext,
  [first]: readonly Candidate[],
  document: RequestDocument,
  { region }: Asked,
): void {
  const to = first?.plan.mirror
  if (to !== undefined && !over) mirror(runtime, x, document, to, region)
}

/** If the last event fails, the client gets an error instead of the last bytes. */
function noteEnd(context: ReplyContext, { outcome, details, lastBytes }: Ending): () => void {
  try {
    noteTerminal(context.x, outcome, context.source !== undefined, details)
    return lastBytes
  } catch (error) {
    return () => {
      throw error
    }
  }
}
