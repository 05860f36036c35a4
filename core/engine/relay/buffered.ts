import { isAscii } from 'node:buffer'
import type { GatewayError } from '../contract/errors.ts'
import type { Awaitable, Json, Outcome, Verdict } from '../contract/plugin.ts'
import { derivedEdits, probabilitiesFit, spelledBy } from '../dialects/chat-completions/derived.ts'
import { originOf } from '../dialects/chat-completions/place.ts'
import { type ChatReply, readReply, readUsage, replyFields } from '../dialects/chat-completions/reply.ts'
import { appendMember } from '../dialects/chat-completions/wire.ts'
import { serviceMember } from '../exchange/service-member.ts'
import { type Change, type Field, type FieldList, toEdits } from '../json/fields.ts'
import { type Edit, splice } from '../json/splice.ts'
import { pathToString } from '../json/strict.ts'
import { FieldView } from '../text/field-view.ts'
import { JoinedView } from '../text/joined-view.ts'
import { eachInTurns } from '../text/turns.ts'
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
  after(context, turn(), () => inspectReply(context, reply, turn, send))
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

function inspectReply(context: ReplyContext, reply: ChatReply, turn: Turn, send: (edits: Edit[]) => void): void {
  const { x } = context
  const list = replyFields(reply)
  const views: FieldView[] = []
  const make = (field: Field, id: number) =>
    views.push(new FieldView(x.inspection, id, originOf(field), 'output', field.text))
  after(context, turn(), () =>
    after(
      context,
      eachInTurns(list.fields, () => x.nextTurn(), make),
      () => offer(context, reply, list, views, turn, send),
    ),
  )
}

function offer(
  context: ReplyContext,
  reply: ChatReply,
  { fields, joined, uninspected }: FieldList,
  views: readonly FieldView[],
  turn: Turn,
  send: (edits: Edit[]) => void,
): void {
  const { x } = context
  if (uninspected.size > 0) context.cannotInspect(uninspected)
  const offered = [...views]
  for (const { path, fields: indexes } of joined) {
    const parts = indexes.map((index) => views[index] as FieldView)
    const [first] = parts as [FieldView]
    const origin = { channel: first.channel, role: first.role, choice: first.choice, path: pathToString(path) }
    offered.push(JoinedView.of(x.inspection, offered.length, origin, parts))
  }
  const spelled = (reply.tree.choices as readonly Json[]).map((choice, i) => {
    if (probabilitiesFit(choice, 'message')) return undefined
    const origin = { channel: 'other', role: 'assistant', choice: i, path: `choices[${i}].logprobs` } as const
    const view = new FieldView(x.inspection, offered.length, origin, 'output', spelledBy(choice) ?? '')
    if (view.text !== '') offered.push(view)
    return view
  })
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
  // Probabilities that spell more than the message, such as an end token, are a text of their own.
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
  context.conclude(outcome, {}, () => {
    out.json(
      200,
      typeof text === 'string' && context.governs ? appendMember(text, 'service', serviceMember(x)) : text,
      headers,
    )
  })
}
