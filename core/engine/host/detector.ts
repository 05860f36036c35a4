import type { Awaitable, Hooks, Instance, PluginSpec } from '../contract/plugin.ts'
import { contractError, expectNothing } from '../contract/results.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { ViewHandle, withReadings } from '../text/handle.ts'
import type { Known, Memo } from '../text/memo.ts'
import { MemoPass } from '../text/memo-pass.ts'
import { inTurns, lengthOfText, oneByOne } from '../text/turns.ts'
import type { BaseView } from '../text/views.ts'
import { adopt, isThenable } from '../util/thenable.ts'
import { takingViews } from './guard.ts'
import { holdsOf } from './holds.ts'

type Detect = NonNullable<Instance['detect']>

/** Taps for a plugin with `detect`: shows it every text of requests and replies, and holds text for it. */
export function tapDetector(hooks: Hooks, spec: PluginSpec, instance: Instance, memo: Memo | undefined): void {
  const { name } = spec
  const detect = instance.detect as Detect
  const { lookbehind } = holdsOf(spec)
  const { detects = 'both' } = instance
  const isPure = instance.pure === true || instance.memoKey !== undefined
  const classify = !isPure
    ? (x: ChatExchange) => withAll(x, (views, turn) => detectAll(name, detect, views, x, turn))
    : memo === undefined
      ? (x: ChatExchange) => detectInOrder(name, detect, x)
      : recalling(name, detect, instance, memo)
  if (detects !== 'output') hooks.classify.tap(name, classify as never)
  if (detects === 'input') return
  hooks.onChunk.tap(
    name,
    takingViews((views: readonly BaseView[], x: ChatExchange) => {
      const all = withReadings(views)
      if (lookbehind > 0) for (const view of all) view.hold(view.text.length - lookbehind)
      return detectAll(name, detect, all, x, x.inspection.turn)
    }) as never,
  )
}

/** Detectors of one process, each in its chain. */
let detectors = 0

/** What the detector found in a text before is not looked for again. */
function recalling(name: string, detect: Detect, instance: Instance, memo: Memo) {
  const plugin = detectors++
  let clean: Known = { plugin, key: '', path: '', findings: undefined }
  return (x: ChatExchange): Awaitable<void> => {
    const { request, inspection } = x
    const { texts } = request
    const key = request.bytes < memo.leastBody || texts.areMany ? undefined : keyOf(name, instance, x)
    if (key === undefined) return detectInOrder(name, detect, x)
    // Most requests have the same key as the one before.
    if (clean.key !== key) clean = { ...clean, key }
    texts.needBegun((begun) => memo.isClean(begun, plugin, key))
    const pending = new Pending(name)
    const pass = new MemoPass({
      memo,
      scope: memo.scopeOf(x.caller),
      clean,
      texts: texts.forMemo,
      inspection,
      begun: (found) => texts.begun(found),
      open: (passage) => texts.open(passage),
      nextTurn: () => x.nextTurn(),
      detect: (view) => pending.add(detect(view, x)),
    })
    const turns = pass.run()
    if (turns === undefined && pending.isEmpty) return pass.keep()
    return Promise.resolve(turns)
      .then(() => pending.all())
      .then(() => pass.keep())
  }
}

const LONGEST_KEY = 256

function keyOf(name: string, instance: Instance, x: ChatExchange): string | undefined {
  if (instance.memoKey === undefined) return ''
  const key: unknown = instance.memoKey(x)
  if (key === undefined || (typeof key === 'string' && key.length <= LONGEST_KEY)) return key
  throw contractError(`memoKey of plugin ${name} must return a string of at most ${LONGEST_KEY} characters.`)
}

/** Each handle is made when it is its text's turn: a document may have hundreds of thousands. */
function detectAll(
  plugin: string,
  detect: Detect,
  views: readonly BaseView[],
  x: ChatExchange,
  turn: number,
): Awaitable<void> {
  const pending = new Pending(plugin)
  const { inspection } = x
  const turns = inTurns(views, x, (view) => void pending.add(detect(new ViewHandle(view, inspection, turn), x)))
  if (turns !== undefined) return turns.then(() => pending.all())
  return pending.isEmpty ? undefined : pending.all()
}

/** For detectors without external calls, which lose no time in order: findings come in the order of the texts, as if remembered. */
function detectInOrder(plugin: string, detect: Detect, x: ChatExchange): Awaitable<void> {
  return withAll(x, (views, turn) => {
    const pending = new Pending(plugin)
    const { inspection } = x
    const turns = oneByOne(
      views,
      () => x.nextTurn(),
      (view) => pending.add(detect(new ViewHandle(view, inspection, turn), x))?.catch(ignore),
      lengthOfText,
    )
    if (turns !== undefined) return turns.then(() => pending.all())
    return pending.isEmpty ? undefined : pending.all()
  })
}

/**
 * Gives all texts of a request, once they are read, and the turn in which they were asked for: if that is over, they are of no
 * use any more.
 */
function withAll(
  x: ChatExchange,
  look: (views: readonly BaseView[], turn: number) => Awaitable<void>,
): Awaitable<void> {
  const { turn } = x.inspection
  const views = x.request.texts.inOrderInTurns(() => x.nextTurn())
  return isThenable(views) ? views.then((read) => look(read, turn)) : look(views, turn)
}

/** What a detector has begun and not finished. */
class Pending {
  readonly #plugin: string
  readonly #all: Promise<unknown>[] = []

  constructor(plugin: string) {
    this.#plugin = plugin
  }

  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  add(result: unknown): Promise<void> | undefined {
    if (result === undefined) return undefined
    if (!isThenable(result)) {
      expectNothing(this.#plugin, 'detect', result)
      return undefined
    }
    const adopted = adopt(result)
    // It may reject before all of them are awaited.
    adopted.catch(ignore)
    this.#all.push(adopted)
    return adopted as Promise<void>
  }

  async all(): Promise<void> {
    for (const result of await Promise.all(this.#all)) expectNothing(this.#plugin, 'detect', result)
  }
}

const ignore = (): void => {}
