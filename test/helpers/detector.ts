/** Runs one plugin over texts with the core's own views: buffered, and streamed in any pieces. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  Channel,
  DetectionCount,
  Exchange,
  Instance,
  Level,
  PluginSpec,
  Services,
  TextView,
} from 'governed-gateway'
import { ExchangeFacts } from '../../core/engine/exchange/fact-map.ts'
import { FieldView } from '../../core/engine/text/field-view.ts'
import { type BlockRequest, Inspection, type Reporter } from '../../core/engine/text/inspection.ts'
import { StreamView } from '../../core/engine/text/stream-view.ts'
import { validateOptions } from './plugin-options.ts'
import { some } from './rounds.ts'

export interface Outcome {
  readonly text: string
  readonly blocked: BlockRequest | undefined
  readonly findings: readonly DetectionCount[]
  readonly level: Level | undefined
  /** Characters held back after each piece but the last. */
  readonly held: readonly number[]
}

export interface Place {
  readonly channel?: Channel
  readonly role?: string
  readonly path?: string
  readonly member?: string
  readonly within?: readonly string[]
  readonly beside?: string
}

export interface Harness {
  /** One complete text of a request. */
  input(text: string, place?: Place): Promise<Outcome>
  /** A reply: one piece is a buffered one. */
  output(pieces: readonly string[], place?: Place): Promise<Outcome>
}

export function harness(
  spec: PluginSpec,
  options: object = {},
  flags: Readonly<Record<string, string | number>> = {},
  given: Partial<Services> = {},
): Harness {
  const filled = validateOptions(spec.schema as object, options)
  const services = { name: spec.name, ...given } as Services
  const instance = spec.create(filled as never, services) as Instance
  const reporter: Reporter = {
    name: spec.name,
    maxBuffered: spec.maxBuffered ?? 256,
    onHoldOverflow: spec.onHoldOverflow ?? 'block',
    monitored: false,
    onError: spec.onError ?? 'block',
    timeoutMs: spec.timeoutMs ?? 1000,
  }
  const detect = async (inspection: Inspection, view: TextView, x: Exchange): Promise<void> => {
    inspection.reporter = reporter
    const pending = instance.detect?.(view, x)
    if (pending !== undefined) await pending
    inspection.reporter = undefined
  }
  const start = () => {
    const state: { level: Level | undefined } = { level: undefined }
    const onLevel = (level: Level) => {
      state.level = level
    }
    const inspection = new Inspection({ onLevel, onFailure: () => {}, onWouldBlock: () => {} })
    const x = { facts: new ExchangeFacts(), flag: (name: string) => flags[name], nextTurn } as unknown as Exchange
    return { inspection, state, x }
  }
  const originOf = (place: Place) => ({
    channel: place.channel ?? 'content',
    role: place.role,
    choice: 0,
    path: place.path ?? 'messages[0].content',
    member: place.member,
    within: place.within,
    beside: place.beside,
  })
  return {
    async input(text, place = {}) {
      const { inspection, state, x } = start()
      const view = new FieldView(inspection, 0, originOf({ role: 'user', ...place }), 'input', text)
      await detect(inspection, view, x)
      return {
        text: view.settle() ?? text,
        blocked: inspection.inputBlock,
        findings: inspection.findings,
        level: state.level,
        held: [],
      }
    },
    async output(pieces, place = {}) {
      const { inspection, state, x } = start()
      const origin = originOf({ role: 'assistant', ...place })
      const view = new StreamView(inspection, 0, origin, () => {})
      const raw = pieces.join('')
      const held: number[] = []
      let text = ''
      for (let i = 0; i < pieces.length; i++) {
        view.append(pieces[i] as string)
        view.final = i === pieces.length - 1
        view.prepare()
        const from = view.released
        await detect(inspection, view, x)
        view.settle()
        text += view.output(from, raw.slice(from, view.released))
        view.forget(view.released)
        if (!view.final) held.push(view.length - view.released)
        if (inspection.outputBlock !== undefined) break
      }
      return { text, blocked: inspection.outputBlock, findings: inspection.findings, level: state.level, held }
    },
  }
}

/** Every way to cut a text in two, in the fast run every fifth, and into pieces of one, two, three and seven characters. */
export function splits(text: string): string[][] {
  const cuts = Array.from({ length: text.length - 1 }, (_, i) => i + 1)
  const all = some(cuts, 5, text.length).map((cut) => [text.slice(0, cut), text.slice(cut)])
  for (const size of [1, 2, 3, 7]) all.push(chunk(text, size))
  return all
}

export function chunk(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let i = 0; i < text.length; i += size) pieces.push(text.slice(i, i + size))
  return pieces.length === 0 ? [''] : pieces
}
