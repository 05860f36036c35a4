import type { IncomingMessage } from 'node:http'
import type { Principal } from '../access/keyring.ts'
import { mayUse } from '../access/keyring.ts'
import { GatewayError } from '../contract/errors.ts'
import { isTapped } from '../contract/hooks.ts'
import type { Answer, Rejection, Verdict } from '../contract/plugin.ts'
import { guardrailUnavailable, isAnswer, isRejection } from '../contract/results.ts'
import { readRequest } from '../dialects/chat-completions/request.ts'
import { ChatExchange } from '../exchange/exchange.ts'
import { relayAnswer } from '../relay/answer.ts'
import { relay } from '../relay/attempt.ts'
import { noteDetections, ReplyContext } from '../relay/context.ts'
import { asGatewayError, failExchange, stopExchange } from '../relay/endings.ts'
import type { Responder } from '../relay/responder.ts'
import { verdictOf } from '../text/inspection.ts'
import { allowed, type Candidate } from '../upstreams/model-routes.ts'
import type { Runtime } from './runtime.ts'

const PATH = '/chat/completions'

/** The order of the hooks for one exchange, and nothing else. */
export async function handleChat(
  runtime: Runtime,
  req: IncomingMessage,
  out: Responder,
  principal: Principal,
  body: Buffer,
): Promise<void> {
  const chat = readRequest(body)
  const { chain, log, relaySettings } = runtime
  const sourceIp = runtime.sourceIp(req)
  const x = new ChatExchange({ id: out.id, principal, chain, log, body, chat, headers: req.headers, sourceIp })
  out.exchange = x
  const context = new ReplyContext(x, out, relaySettings)
  runtime.exchanges.enter()
  out.onClose((whole) => {
    if (!whole) context.gone(runtime.stopped.aborted ? 'gateway_stopped' : 'client_disconnected')
    const leave = () => runtime.exchanges.leave()
    if (context.settled) leave()
    else context.onSettled = leave
  })
  try {
    const go = await decide(runtime, context)
    if (!context.decided()) return
    const going = go()
    if (going !== undefined) await going
  } catch (error) {
    if (!context.decided()) return
    context.source?.abort()
    failExchange(context, asGatewayError(x, error))
  }
}

type Next = () => void | Promise<void>

/** Runs the hooks in front of the model and says what follows from them. Nobody is asked for a client that left. */
async function decide(runtime: Runtime, context: ReplyContext): Promise<Next> {
  const { x } = context
  const { hooks } = x.chain
  if (isTapped(hooks.preRequest as never)) {
    const rejection = await hooks.preRequest.promise(x)
    if (rejection !== undefined) return () => reject(context, rejection)
    if (context.left) return nothing
  }
  if (!mayUse(x.principal, x.request.model)) {
    throw new GatewayError('GW_MODEL_NOT_ALLOWED', `This key may not use the model '${shown(x.request.model)}'.`, {
      param: 'model',
    })
  }
  const candidates = runtime.routes.candidates(x.request.model, x.principal.maxClassification)
  if (candidates === undefined) {
    throw new GatewayError('GW_MODEL_NOT_FOUND', `No route takes the model '${shown(x.request.model)}'.`, {
      param: 'model',
    })
  }
  const { isLarge } = x.request
  const nextTurn = () => x.nextTurn()
  if (isLarge) await nextTurn() // It was parsed in this one.
  x.inspection.monitor = x.mode === 'monitor'
  const inspects = x.chain.readsContent && x.mode !== 'off'
  x.inspection.findsHidden = inspects
  if (x.mode === 'strict' && x.request.uninspected.size > 0) {
    const kinds = [...x.request.uninspected.keys()].join(', ')
    throw new GatewayError(
      'GW_UNINSPECTABLE',
      `The request has content that cannot be inspected (${kinds}), which mode=strict refuses.`,
    )
  }
  if (isTapped(hooks.classify as never)) {
    if (isLarge && inspects) await x.request.prepare(nextTurn)
    await hooks.classify.promise(x)
    await x.request.verdicts()
    if (context.left) return nothing
  }
  if (x.inspection.failed !== undefined) throw guardrailUnavailable(x.inspection.failed)
  const closing = x.request.closeInput(nextTurn)
  if (closing !== undefined) await closing
  x.closeRequest = () => closeRequest(x, candidates)
  const stop = await judge(x)
  if (isLarge) await nextTurn() // Before the body is put together.
  if (context.left) return nothing
  if (stop === undefined) return begin(context, candidates)
  if (isAnswer(stop)) return () => relayAnswer(context, stop, runtime.maxAnswerBytes)
  if (isRejection(stop)) return () => reject(context, stop)
  return () => stopExchange(context, stop)
}

/** What was decided, and what it may use, is in the store before the prompt leaves. */
function begin(context: ReplyContext, candidates: readonly Candidate[]): Next | Promise<Next> {
  const written = context.x.chain.recorder.begin(context.x)
  return written === undefined
    ? () => send(context, candidates)
    : written.then((stop) => after(context, candidates, stop))
}

function after(context: ReplyContext, candidates: readonly Candidate[], stop: Verdict | Rejection | undefined): Next {
  if (stop === undefined) return () => send(context, candidates)
  return isRejection(stop) ? () => reject(context, stop) : () => stopExchange(context, stop)
}

const nothing = (): void => {}

/** Blocking findings first, then the policies, then the core's own step, then what must see the request as it will be sent. */
async function judge(x: ChatExchange): Promise<Verdict | Rejection | Answer | undefined> {
  const { inspection, reply } = x
  const found = inspection.inputBlock === undefined ? undefined : verdictOf(inspection.inputBlock)
  const verdict = found ?? reply.blocked ?? (await x.chain.hooks.block.promise(x))
  if (!x.request.closed) noteDetections(x, 'input', false)
  return verdict
}

/** Splices redactions into the body; what no provider may see goes no further. No mode touches that. */
function closeRequest(x: ChatExchange, candidates: readonly Candidate[]): Verdict | undefined {
  x.request.close()
  noteDetections(x, 'input')
  const open = admitted(x, candidates)
  x.request.targets = open.map(({ upstream, rename }) => ({
    upstream: upstream.name,
    model: x.request.modelFor(rename),
  }))
  return open.length > 0 ? undefined : aboveCeiling(x, candidates)
}

/** The label may have risen since the request was closed. */
function send(context: ReplyContext, candidates: readonly Candidate[]): void {
  const open = admitted(context.x, candidates)
  if (open.length > 0) relay(context, open, PATH)
  else stopExchange(context, aboveCeiling(context.x, candidates))
}

const admitted = (x: ChatExchange, candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter((candidate) => allowed(candidate, candidate.afterRedaction ? x.residualLabel : x.label))

function aboveCeiling(x: ChatExchange, candidates: readonly Candidate[]): Verdict {
  const ceilings = candidates.map(({ upstream, ceiling }) => `${upstream.name}: ${ceiling}`).join(', ')
  return {
    policy: 'max_classification',
    reason: `The request is classified ${x.label}, above what may leave for this model (${ceilings}).`,
  }
}

function reject(context: ReplyContext, rejection: Rejection): void {
  const { error, message, param, retryAfter } = rejection
  const options = { ...(param === undefined ? {} : { param }), ...(retryAfter === undefined ? {} : { retryAfter }) }
  failExchange(context, new GatewayError(error, message, options))
}

/** A model name is the client's text: shown short and without control characters. */
const shown = (model: string): string => model.slice(0, 128).replace(/[^\x20-\x7e]/g, '?')
