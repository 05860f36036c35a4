import { isAscii } from 'node:buffer'
import type { GatewayError } from '../contract/errors.ts'
import type { Awaitable, Json, Outcome, Verdict } from '../contract/plugin.ts'
import { derivedEdits, probabilitiesFit, spelledBy } from '../dialects/chat-completions/derived.ts'
import { originOf } from '../dialects/chat-completions/place.ts'
import { type ChatReply, readReply, readUsage, replyFields } from '../dialects/chat-completions/reply.ts'
import { appendMember } from '../dialects/chat-completions/wire.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { serviceMember } from '../exchange/service-member.ts'
import { type Change, type Field, type FieldList, toEdits } from '../json/fields.ts'
import { type Edit, splice } from '../json/splice.ts'
import { pathToString } from '../json/strict.ts'
import { FieldView } from '../text/field-view.ts'
import { type Joined, JoinedView, joinedOf } from '../text/joined-view.ts'
import { eachInTurns } from '../text/turns.ts'
import type { Normalised } from '../text/unicode.ts'
import { makeAtOnce, makeInTurns } from '../text/view-making.ts'
import type { ReplyContext } from './context.ts'
import { asGatewayError, failExchange, stopExchange } from './endings.ts'
import { keepsForm, UNREDACTABLE } from './stream/tool-calls.ts'

/** Judges and sends one complete JSON reply: a stream whose only read is final. */
export function sendBuffered(
  context: ReplyContext,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  outcome: Outcome,
): void {
  let reply: ChatReply
  try {
    reply = readReply(body.toString('utf8'))
  } catch (error) {
    context.x.reply.progress = 'failed'
    return failExchange(context, error as GatewayError)
  }
  const { x } = context
  x.reply.usage = readUsage(reply.tree.usage)
  x.reply.captureComplete = true
  const send = (edits: Edit[]) => finish(context, reply, body, edits, headers, outcome)
  if (!context.inspects) return send([])
  const turn: Turn = () => (body.length > LARGE ? x.nextTurn() : undefined)
  if (body.length <= LARGE) {
    const list = replyFields(reply)
    return offer(context, reply, list, offeredOf(context, reply, list), turn, send)
  }
  let list: FieldList
  let offered: Offered
  const prepare = async () => {
    await x.nextTurn()
    list = replyFields(reply)
    await x.nextTurn()
    offered = await offeredInTurns(context, reply, list)
  }
  after(context, prepare(), () => offer(context, reply, list, offered, turn, send))
}

/** Of a reply larger than this the steps are taken in turns, between which other exchanges go on; bytes. */
const LARGE = 128 * 1024

/** Lets other exchanges go on, where a reply is large. */
type Turn = () => Awaitable<void>

/** Goes on when there is nothing to wait for any more, with an exchange that still is. */
function after(context: ReplyContext, wait: Awaitable<void>, next: () => void): void {
  if (wait === undefined) return next()
  wait
    .then(() => {
      if (!context.over) next()
    })
    .catch((cause) => {
      // Nobody else would catch it.
      if (!context.over) stopExchange(context, asGatewayError(context.x, cause))
    })
}

/** Views of the texts of a reply. */
interface Offered {
  readonly views: readonly FieldView[]
  readonly joined: readonly JoinedView[]
  /** Of each choice what its probabilities spell, where that is more than the message. */
  readonly spelled: readonly (FieldView | undefined)[]
}

const viewOf =
  ({ inspection }: ChatExchange) =>
  (field: Field, id: number, read?: Normalised): FieldView =>
    new FieldView(inspection, id, originOf(field), 'output', field.text, read)

const joinedView =
  ({ inspection }: ChatExchange, firstId: number) =>
  ({ path, parts }: Joined, i: number, read?: Normalised): JoinedView => {
    const { channel, role, choice } = parts[0] as FieldView
    const origin = { channel, role, choice, path: pathToString(path) }
    return JoinedView.of(inspection, firstId + i, origin, parts, read)
  }

const spelledView =
  ({ inspection }: ChatExchange, firstId: number) =>
  ({ choice, text }: Spelled, i: number, read?: Normalised): FieldView => {
    const origin = { channel: 'other', role: 'assistant', choice, path: `choices[${choice}].logprobs` } as const
    return new FieldView(inspection, firstId + i, origin, 'output', text, read)
  }

interface Spelled {
  readonly choice: number
  readonly text: string
}

/** Probabilities that spell more than the message, such as an end token, are a text of their own. */
const spelledOf = ({ tree }: ChatReply): Spelled[] =>
  (tree.choices as readonly Json[]).flatMap((choice, i) =>
    probabilitiesFit(choice, 'message') ? [] : [{ choice: i, text: spelledBy(choice) ?? '' }],
  )

const byChoice = (views: readonly FieldView[]): (FieldView | undefined)[] => {
  const spelled: (FieldView | undefined)[] = []
  for (const view of views) spelled[view.choice] = view
  return spelled
}

function offeredOf({ x }: ReplyContext, reply: ChatReply, list: FieldList): Offered {
  const views = makeAtOnce(list.fields, viewOf(x))
  const joined = makeAtOnce(joinedOf(list, views), joinedView(x, views.length))
  const spelled = makeAtOnce(spelledOf(reply), spelledView(x, views.length + joined.length))
  return { views, joined, spelled: byChoice(spelled) }
}

/** As `offeredOf`, of a large reply. */
async function offeredInTurns({ x }: ReplyContext, reply: ChatReply, list: FieldList): Promise<Offered> {
  const nextTurn = () => x.nextTurn()
  const views = await makeInTurns(list.fields, nextTurn, ({ text }) => text, viewOf(x))
  const textOf = ({ parts }: Joined) => JoinedView.textOf(parts)
  const joined = await makeInTurns(joinedOf(list, views), nextTurn, textOf, joinedView(x, views.length))
  await nextTurn()
  const make = spelledView(x, views.length + joined.length)
  return { views, joined, spelled: byChoice(await makeInTurns(spelledOf(reply), nextTurn, ({ text }) => text, make)) }
}

function offer(
  context: ReplyContext,
  reply: ChatReply,
  { fields, uninspected }: FieldList,
  { views, joined, spelled }: Offered,
  turn: Turn,
  send: (edits: Edit[]) => void,
): void {
  const { x } = context
  if (uninspected.size > 0) context.cannotInspect(uninspected)
  const offered = [...views, ...joined]
  for (const view of spelled) if (view !== undefined && view.text !== '') offered.push(view)
  inspectViews(context, offered, () => {
    const changes: Change[] = []
    const merge = (field: Field, i: number) => {
      const text = (views[i] as FieldView).settle()
      if (text !== undefined) changes.push({ field, text })
    }
    const merging = eachInTurns(fields, () => x.nextTurn(), merge)
    after(context, merging?.then(turn), () => {
      const edits = editsOf(changes, reply, spelled)
      if (edits === undefined) stopExchange(context, UNREDACTABLE)
      else send(edits)
    })
  })
}

/** Puts what plugins rewrote in place; undefined where that would change what a reply means. */
function editsOf(
  changes: readonly Change[],
  reply: ChatReply,
  spelled: readonly (FieldView | undefined)[],
): Edit[] | undefined {
  const positions = new Set<number>()
  const moved = new Set<number>()
  for (const { field, text } of changes) {
    if (isArguments(field) && !keepsForm(field.text, text)) return undefined
    const outer = field.inner?.path ?? field.path
    if (outer[0] !== 'choices') continue
    positions.add(outer[1] as number)
    // A citation that is rewritten itself points where it did.
    if (field.channel !== 'annotation') moved.add(outer[1] as number)
  }
  const edits = toEdits(changes)
  const staleAt = (position: number): boolean => {
    const view = spelled[position]
    return view !== undefined && (view.raw === '' || view.settle() !== undefined)
  }
  const dropped = derivedEdits(reply.tree.choices as never, 'message', (position) => ({
    probabilities: positions.has(position) || staleAt(position),
    citations: moved.has(position),
  }))
  return [...edits, ...dropped]
}

/** Arguments that are no strict JSON, as one text. */
const isArguments = ({ channel, path, inner }: Field): boolean =>
  channel === 'tool_arguments' && inner === undefined && path.at(-1) === 'arguments'

/** Offers complete views to the plugins; goes on only when none of them stops the exchange. */
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
      // Called from promises too, where nobody else would catch it.
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
  reply: ChatReply,
  body: Buffer,
  edits: Edit[],
  headers: Readonly<Record<string, string>>,
  outcome: Outcome,
): void {
  const { x, out } = context
  if (reply.tree.service !== undefined) edits.push({ kind: 'remove', path: ['service'] })
  const untouched = edits.length === 0 && !context.governs && reply.asSent
  // Head and text leave as one string when nothing is lost by it, which costs less than two pieces.
  const text = untouched && !isAscii(body) ? body : splice(reply.text, edits)
  context.finish(outcome, {}, () => {
    out.json(
      200,
      typeof text === 'string' && context.governs ? appendMember(text, 'service', serviceMember(x)) : text,
      headers,
    )
  })
}
