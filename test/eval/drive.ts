/**
 * Runs one content plugin over texts the way the core does, with the core's own text views but without sockets: the
 * evaluation needs tens of thousands of streams.
 */

import { parseOptions } from '../../core/engine/config/validate.ts'
import type {
  Channel,
  Exchange,
  Instance,
  Level,
  PluginSpec,
  Services,
  TextView,
} from '../../core/engine/contract/plugin.ts'
import { ExchangeFacts } from '../../core/engine/exchange/fact-map.ts'
import { borderViewsInSteps } from '../../core/engine/text/borders.ts'
import { FieldView } from '../../core/engine/text/field-view.ts'
import { Inspection, type Reporter } from '../../core/engine/text/inspection.ts'
import { StreamView } from '../../core/engine/text/stream-view.ts'
import type { BaseView } from '../../core/engine/text/views.ts'
import { allSteps } from '../../core/engine/util/steps.ts'

export interface Finding {
  readonly type: string
  /** In the text as it was given. */
  readonly start: number
  readonly end: number
  readonly action: string
}

export interface Run {
  readonly findings: readonly Finding[]
  /** What the other side gets. */
  readonly output: string
}

export interface StreamRun extends Run {
  /** Characters held back after each piece but the last. */
  readonly held: readonly number[]
  /** What was released after each piece. */
  readonly released: readonly number[]
}

export interface MessagesRun {
  /** By message. */
  readonly findings: readonly (readonly Finding[])[]
  readonly overBorders: boolean
}

export interface DriveSetup {
  readonly flags?: Readonly<Record<string, string>>
  readonly keyId?: string
  readonly mode?: Exchange['mode']
  readonly channel?: Channel
}

/** One plugin with its options, and one exchange. */
export class Drive {
  readonly instance: Instance
  readonly x: Exchange
  readonly notes: string[] = []
  readonly levels: Level[] = []
  readonly inspection = new Inspection({ onLevel: (level) => this.levels.push(level) })
  readonly #plugin: PluginSpec
  readonly #reporter: Reporter
  readonly #channel: Channel
  #ids = 0

  /** @param options the plugin's options, or an instance that already has them */
  constructor(plugin: PluginSpec, options: object | Instance = {}, setup: DriveSetup = {}) {
    this.#plugin = plugin
    this.instance = 'detect' in options ? (options as Instance) : create(plugin, options)
    this.#channel = setup.channel ?? 'content'
    this.#reporter = {
      name: plugin.name,
      maxBuffered: plugin.maxBuffered ?? 256,
      onHoldOverflow: plugin.onHoldOverflow ?? 'block',
      monitored: false,
      onError: 'block',
      timeoutMs: 1000,
    }
    this.x = exchange(setup, this.notes)
  }

  /** A new exchange of the same plugin: what belongs to one exchange is forgotten. */
  next(setup: DriveSetup = {}): Drive {
    return new Drive(this.#plugin, this.instance, setup)
  }

  /** A field of a request. */
  input(text: string): Run {
    return this.#field(text, 'input')
  }

  /** A buffered reply. */
  reply(text: string): Run {
    return this.#field(text, 'output')
  }

  /** Messages of one request: what is found in each, and whether any of it was seen over their borders alone. */
  messages(said: readonly { readonly role: string; readonly text: string }[]): MessagesRun {
    const views = said.map(({ role, text }) => {
      const channel = role === 'tool' ? 'tool_result' : 'content'
      return new FieldView(this.inspection, ++this.#ids, { ...this.#origin(), role, channel }, 'input', text)
    })
    for (const view of views) this.detect(view)
    const count = () => views.reduce((sum, { reports }) => sum + reports.length, 0)
    const alone = count()
    for (const view of allSteps(borderViewsInSteps(views, this.inspection, () => ++this.#ids))) this.detect(view)
    const findings = views.map(({ reports }) => {
      const noted = new Map<string, Finding>()
      note(reports, noted)
      return [...noted.values()]
    })
    return { findings, overBorders: count() > alone }
  }

  /** A streamed reply, in these pieces. */
  stream(pieces: readonly string[]): StreamRun {
    const view = new StreamView(this.inspection, ++this.#ids, this.#origin(), () => undefined)
    const held: number[] = []
    const released: number[] = []
    const findings = new Map<string, Finding>()
    for (const [i, piece] of pieces.entries()) {
      view.append(piece)
      view.final = i === pieces.length - 1
      view.prepare()
      this.detect(view)
      const known = [...view.reports]
      view.settle()
      // One that is still open may be replaced by a wider one.
      const open = new Set(view.reports)
      note(
        known.filter((report) => !open.has(report)),
        findings,
      )
      held.push(view.length - view.released)
      released.push(view.released)
    }
    held.pop()
    const whole = pieces.join('')
    return { findings: [...findings.values()], output: view.output(0, whole), held, released }
  }

  /** A streamed reply that breaks off: what had left by then. */
  broken(pieces: readonly string[]): string {
    const view = new StreamView(this.inspection, ++this.#ids, this.#origin(), () => undefined)
    for (const piece of pieces) {
      view.append(piece)
      view.prepare()
      this.detect(view)
      view.settle()
    }
    return view.output(0, pieces.join('').slice(0, view.released))
  }

  #field(text: string, direction: 'input' | 'output'): Run {
    const view = new FieldView(this.inspection, ++this.#ids, this.#origin(), direction, text)
    this.detect(view)
    const findings = new Map<string, Finding>()
    note(view.reports, findings)
    return { findings: [...findings.values()], output: view.settle() ?? text }
  }

  /** Shows the plugin one view, in all its readings. */
  detect(view: BaseView): void {
    this.inspection.reporter = this.#reporter
    void this.instance.detect?.(view, this.x)
    for (const reading of view.readings) if (reading.text !== '') void this.instance.detect?.(reading, this.x)
    this.inspection.reporter = undefined
  }

  #origin() {
    // Each reply of an exchange is a text of its own.
    return { channel: this.#channel, role: undefined, choice: 0, path: `content${this.#ids}` } as const
  }
}

function create(plugin: PluginSpec, options: object): Instance {
  const { value, problems } = parseOptions(plugin.schema, options, 'options')
  if (problems.length > 0) throw new Error(problems.map((problem) => `${problem.path}: ${problem.message}`).join('\n'))
  return plugin.create(value as never, services())
}

function note(reports: FieldView['reports'], findings: Map<string, Finding>): void {
  for (const { type, start, end, action, restore } of reports) {
    if (!restore) findings.set(`${type} ${start} ${end}`, { type, start, end, action })
  }
}

function exchange(setup: DriveSetup, notes: string[]): Exchange {
  return {
    id: 'req_eval',
    caller: { keyId: setup.keyId ?? 'app', admin: false, flags: {}, flagsAllow: [] },
    mode: setup.mode ?? 'enforce',
    label: 'PUBLIC',
    facts: new ExchangeFacts(),
    nextTurn: () => Promise.resolve(),
    flag: (name: string) => setup.flags?.[name],
    request: { addSystemNote: (text: string) => notes.push(text) },
    reply: {
      restore: (view: TextView, start: number, end: number, value: string) =>
        (view as StreamView).restore(start, end, value),
    },
  } as unknown as Exchange
}

function services(): Services {
  const quiet = () => undefined
  return {
    name: 'eval',
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    subkey: (purpose: string) => Buffer.from(purpose.padEnd(32, '.')),
    keep: <V>(_: string, init: () => V) => init(),
    flags: new Map(),
    emit: quiet,
  } as unknown as Services
}
