import { isAscii } from 'node:buffer'
import { type GatewayError, isGatewayError } from '../contract/errors.ts'
import type { Outcome, Verdict } from '../contract/plugin.ts'
import type { ReplyDocument } from '../dialects/dialect.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { serviceMember } from '../exchange/service-member.ts'
import type { Change } from '../json/edits.ts'
import type { Field, FieldList } from '../json/fields.ts'
import { type Edit, headAndTailInSteps, splice } from '../json/splice.ts'
import { FieldView } from '../text/field-view.ts'
import { type Joined, JoinedView, joinedOf } from '../text/joined-view.ts'
import { roomFor } from '../text/large-documents.ts'
import { settleInSteps } from '../text/settling.ts'
import type { Normalised } from '../text/unicode.ts'
import { makeAtOnce, makeInTurns } from '../text/view-making.ts'
import { invalid } from '../upstreams/provider-error.ts'
import { inSteps, type Steps, stepByStep } from '../util/steps.ts'
import type { ReplyContext } from './context.ts'
import { asGatewayError, stopExchange } from './endings.ts'
import { Issuing } from './issuing.ts'
import { UNREDACTABLE } from './stream/tool-calls.ts'

/**
 * Inspects and sends one complete JSON reply, like a stream with a single final read.
 *
 * @param onUnreadable ends the exchange for a body that is no reply
 */
export function sendBuffered(
  context: ReplyContext,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  outcome: Outcome,
  onUnreadable: (cause: unknown) => void,
): void {
  const { x } = context
  const failed = (cause: unknown) => {
    x.reply.progress = 'failed'
    onUnreadable(cause)
  }
  const isLarge = body.length > LARGE
  const go = (reply: ReplyDocument) => {
    // Its use was counted when it was made.
    if (!x.request.stored) x.reply.usage = reply.usage
    x.reply.captureComplete = true
    const send = (edits: Edit[]) => finish(context, reply, body, edits, headers, outcome)
    if (!context.inspects) send([])
    else if (isLarge) inspectLarge(context, reply, send)
    else inspect(context, reply, FieldView.isLong(body), send)
  }
  if (isLarge) {
    const reading = readLarge(context, body).then(
      (reply) => () => go(reply),
      (error) => () => failed(error),
    )
    return afterwards(context, reading)
  }
  let reply: ReplyDocument
  try {
    reply = x.dialect.readReply(body.toString('utf8'), x.request)
  } catch (error) {
    return failed(error)
  }
  go(reply)
}

/** Reads a reply once there is room to inspect it, which lasts until the exchange ends. */
async function readLarge(context: ReplyContext, body: Buffer): Promise<ReplyDocument> {
  const { x } = context
  const turn = () => x.nextTurn()
  const room = await roomFor(body, turn)
  if (context.over) room.release()
  else context.release = { stop: () => room.release() }
  await room.granted
  await turn()
  const text = body.toString('utf8')
  await turn()
  return stepByStep(x.dialect.readReplyInSteps(text, x.request), turn)
}

function inspect(context: ReplyContext, reply: ReplyDocument, isLong: boolean, send: (edits: Edit[]) => void): void {
  const list = reply.fields()
  if (!isLong) return offer(context, reply, list, offeredOf(context, list), send)
  afterwards(
    context,
    offeredInTurns(context, list).then((offered) => () => offer(context, reply, list, offered, send)),
  )
}

function inspectLarge(context: ReplyContext, reply: ReplyDocument, send: (edits: Edit[]) => void): void {
  const turn = () => context.x.nextTurn()
  const prepare = async (): Promise<() => void> => {
    await turn()
    const list = await stepByStep(reply.fieldsInSteps(), turn).catch(refuseReply)
    await turn()
    const offered = await offeredInTurns(context, list)
    return () => offer(context, reply, list, offered, send)
  }
  afterwards(context, prepare())
}

/** A limit that requests have too is the provider's fault here. */
function refuseReply(cause: unknown): never {
  if (!isGatewayError(cause) || cause.code !== 'GW_TOO_MANY_VALUES') throw cause
  throw invalid('sent a reply with more values, or members of one object, than can be inspected')
}

/** Larger replies are processed in turns, so that other exchanges can run in between; bytes. */
const LARGE = 128 * 1024

/** Continues after `coming`, unless the exchange ended meanwhile. */
function afterwards(context: ReplyContext, coming: Promise<() => void>): void {
  coming
    .then((next) => {
      if (!context.over) next()
    })
    .catch((cause) => {
      // Nothing else catches errors here.
      if (!context.over) stopExchange(context, asGatewayError(context.x, cause))
    })
}

/** Views of the texts of a reply. */
interface Offered {
  readonly views: readonly FieldView[]
  readonly joined: readonly JoinedView[]
}

const viewOf =
  ({ inspection, dialect }: ChatExchange) =>
  (field: Field, id: number, read?: Normalised): FieldView =>
    new FieldView(inspection, id, dialect.originOf(field), 'output', field.text, read)

const joinedView =
  ({ inspection }: ChatExchange, firstId: number) =>
  (joined: Joined, i: number, read?: Normalised): JoinedView => {
    const { channel, role, choice } = joined.parts[0] as FieldView
    const origin = { channel, role, choice, path: joined.path }
    return JoinedView.of(inspection, firstId + i, origin, joined, read)
  }

function offeredOf({ x }: ReplyContext, list: FieldList): Offered {
  const views = makeAtOnce(list.fields, viewOf(x))
  const joined = makeAtOnce(joinedOf(list, views), joinedView(x, views.length))
  return { views, joined }
}

/** Like `offeredOf`, for what takes more than one turn of the event loop. */
async function offeredInTurns({ x }: ReplyContext, list: FieldList): Promise<Offered> {
  const nextTurn = () => x.nextTurn()
  const views = await makeInTurns(list.fields, nextTurn, ({ text }) => text, viewOf(x))
  const joined = await makeInTurns(joinedOf(list, views), nextTurn, JoinedView.textOf, joinedView(x, views.length))
  return { views, joined }
}

function offer(
  context: ReplyContext,
  reply: ReplyDocument,
  { fields, uninspected }: FieldList,
  { views, joined }: Offered,
  send: (edits: Edit[]) => void,
): void {
  const { x } = context
  if (uninspected.size > 0) context.cannotInspect(uninspected)
  inspectViews(context, [...views, ...joined], () => {
    const merged = inSteps(editsOf(reply, fields, views), () => x.nextTurn())
    if (merged instanceof Promise) {
      afterwards(
        context,
        merged.then((edits) => () => sendEdited(context, edits, send)),
      )
    } else sendEdited(context, merged, send)
  })
}

/** What the findings change in a reply; undefined if it cannot be changed. */
function* editsOf(
  reply: ReplyDocument,
  fields: readonly Field[],
  views: readonly FieldView[],
): Steps<Edit[] | undefined> {
  const changes: Change[] = []
  yield* settleInSteps(views, (i, text) => {
    if (text !== undefined) changes.push({ field: fields[i] as Field, text })
  })
  return yield* reply.edits(changes)
}

function sendEdited(context: ReplyContext, edits: Edit[] | undefined, send: (edits: Edit[]) => void): void {
  const { stop = edits === undefined ? UNREDACTABLE : undefined } = context
  if (stop === undefined) send(edits as Edit[])
  else stopExchange(context, stop)
}

/** Offers complete views to the plugins; continues only if none stops the exchange. */
export function inspectViews(
  context: ReplyContext,
  views: readonly FieldView[],
  then: () => void,
  stopWith = (stop: Verdict | GatewayError) => stopExchange(context, stop),
): void {
  const { x } = context
  const go = () => {
    if (context.over) return
    try {
      const { stop } = context
      if (stop === undefined) return then()
      for (const view of views) view.tally()
      stopWith(stop)
    } catch (cause) {
      // Also called from promises, where nothing else catches errors.
      stopWith(asGatewayError(x, cause))
    }
  }
  x.chain.hooks.onChunk.callAsync(views, x, (error) => {
    if (context.over) return
    if (error !== undefined && error !== null) return stopWith(asGatewayError(x, error))
    const waits = views.flatMap((view) => view.waits ?? [])
    if (waits.length === 0) go()
    else void Promise.all(waits).then(go)
  })
}

function finish(
  context: ReplyContext,
  reply: ReplyDocument,
  body: Buffer,
  edits: Edit[],
  headers: Readonly<Record<string, string>>,
  outcome: Outcome,
): void {
  const issuing = Issuing.of(context)
  issuing?.note(reply)
  const recorded = issuing?.record()
  if (recorded !== undefined)
    return afterwards(
      context,
      recorded.then(() => () => finishWith(context, reply, body, edits, headers, outcome)),
    )
  finishWith(context, reply, body, edits, headers, outcome)
}

function finishWith(
  context: ReplyContext,
  reply: ReplyDocument,
  body: Buffer,
  edits: Edit[],
  headers: Readonly<Record<string, string>>,
  outcome: Outcome,
): void {
  reply.clear(edits)
  const untouched = edits.length === 0 && reply.asSent
  const send = (head: readonly Buffer[], text: string) => {
    const { x, out, governs } = context
    context.finish(outcome, {}, () => {
      out.json(200, governs ? reply.withService(text, serviceMember(x)) : text, headers, head)
    })
  }
  // If both are ASCII, head and text go out as one string, which is cheaper than two writes.
  if (untouched && !context.governs && !isAscii(body)) send([body], '')
  else if (body.length <= LARGE) send(NONE, splice(reply.text, edits))
  else if (untouched) {
    const close = body.lastIndexOf('}')
    send([body.subarray(0, close)], body.toString('utf8', close))
  } else {
    const encoding = stepByStep(headAndTailInSteps(reply.text, edits), () => context.x.nextTurn())
    afterwards(
      context,
      encoding.then(
        ({ head, tail }) =>
          () =>
            send(head, tail),
      ),
    )
  }
}

const NONE: readonly Buffer[] = []
