import type { Awaitable, Exchange, Hooks, Instance, PluginSpec, TextView } from '../contract/plugin.ts'
import { contractError, expectNothing } from '../contract/results.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import type { Known, Memo } from '../text/memo.ts'
import { MemoPass } from '../text/memo-pass.ts'
import { inTurns, oneByOne } from '../text/turns.ts'
import { adopt, isThenable } from '../util/thenable.ts'
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
    ? (x: Exchange) => detectAll(name, detect, x.request.views, x)
    : memo === undefined
      ? (x: Exchange) => detectInOrder(name, detect, x.request.views, x)
      : recalling(name, detect, instance, memo)
  if (detects !== 'output') hooks.classify.tap(name, classify as never)
  if (detects === 'input') return
  hooks.onChunk.tap(name, ((views: readonly TextView[], x: Exchange) => {
    if (lookbehind > 0) for (const view of views) view.hold(view.text.length - lookbehind)
    return detectAll(name, detect, views, x)
  }) as never)
}

/** Detectors of one process, each in its chain. */
let detectors = 0

/** What the detector found in a text before is not looked for again. */
function recalling(name: string, detect: Detect, instance: Instance, memo: Memo) {
  const plugin = detectors++
  let clean: Known = { plugin, key: '', path: '', findings: undefined }
  return (x: ChatExchange): Awaitable<void> => {
    const { request, inspection } = x
    const key = request.bytes < memo.leastBody ? undefined : keyOf(name, instance, x)
    if (key === undefined) return detectInOrder(name, detect, request.views, x)
    // Most requests have the same key as the one before.
    if (clean.key !== key) clean = { ...clean, key }
    const { texts } = request
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
  throw contractError(`memoKey of plugin ${name} gave no text of at most ${LONGEST_KEY} characters.`)
}

function detectAll(plugin: string, detect: Detect, views: readonly TextView[], x: Exchange): Awaitable<void> {
  const pending = new Pending(plugin)
  const turns = inTurns(views, x, (view) => void pending.add(detect(view, x)))
  if (turns !== undefined) return turns.then(() => pending.all())
  return pending.isEmpty ? undefined : pending.all()
}

/** For detectors that ask nobody else, and so lose no time: findings come in the order of the texts, as if remembered. */
function detectInOrder(plugin: string, detect: Detect, views: readonly TextView[], x: Exchange): Awaitable<void> {
  const pending = new Pending(plugin)
  const units = views.map((view) => ({ view, length: view.text.length }))
  const turns = oneByOne(
    units,
    () => x.nextTurn(),
    ({ view }) => pending.add(detect(view, x))?.catch(ignore),
  )
  if (turns !== undefined) return turns.then(() => pending.all())
  return pending.isEmpty ? undefined : pending.all()
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
