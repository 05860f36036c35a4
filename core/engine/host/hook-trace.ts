/** Output of `start --trace-hooks`: each exchange's taps, with their time and result. No text. */
import type { EventLog } from '../contract/event-log.ts'
import type { HookName } from '../contract/hooks.ts'
import { isAnswer, isRejection } from '../contract/results.ts'
import { TERMINAL } from '../events/catalogue/core-events.ts'

type Result = 'nothing' | 'verdict' | 'rejection' | 'answer' | 'failed'
type Done = (error?: Error | null, result?: unknown) => void
type Run<X> = (x: X, args: unknown[], done: Done) => void

interface Line {
  readonly hook: HookName
  readonly plugin: string
  readonly final: boolean
  readonly result: Result
  ms: number
  calls: number
}

/** Maximum number of traced exchanges; the oldest are dropped. */
const MOST = 1000

export class HookTrace {
  readonly #write: (text: string) => void
  readonly #open = new Map<string, Line[]>()

  /** @param write receives the tree of one exchange, with a line end */
  constructor(write: (text: string) => void) {
    this.#write = write
  }

  /** Times a tap until it is done. */
  timed<X extends { readonly id: string }>(hook: HookName, plugin: string, final: boolean, run: Run<X>): Run<X> {
    return (x, args, done) => {
      const began = performance.now()
      run(x, args, (error, result) => {
        this.#note(x.id, {
          hook,
          plugin,
          final,
          result: kindOf(error ?? result),
          ms: performance.now() - began,
          calls: 1,
        })
        done(error, result)
      })
    }
  }

  /** The same log, which also ends a trace at the last event of its exchange. */
  watching(log: EventLog): EventLog {
    const { debug, info, warn, error } = log
    return {
      ...{ debug: debug.bind(log), info: info.bind(log), warn: warn.bind(log), error: error.bind(log) },
      event: (event, trusted, text) => {
        log.event(event, trusted, text)
        const lines = this.#open.get(String(event.request_id))
        if (lines === undefined || !TERMINAL.has(event.type)) return
        this.#open.delete(String(event.request_id))
        this.#write(treeOf(`${event.request_id} ${event.type}`, lines))
      },
    }
  }

  #note(id: string, line: Line): void {
    const lines = this.#open.get(id) ?? []
    if (lines.length === 0) {
      if (this.#open.size >= MOST) this.#open.delete(this.#open.keys().next().value as string)
      this.#open.set(id, lines)
    }
    // A stream calls each plugin once per read.
    const same = lines.find(
      ({ hook, plugin, result }) => hook === line.hook && plugin === line.plugin && result === line.result,
    )
    if (same === undefined || line.hook !== 'onChunk') lines.push(line)
    else {
      same.ms += line.ms
      same.calls += 1
    }
  }
}

export function kindOf(result: unknown): Result {
  if (result instanceof Error) return 'failed'
  if (result === undefined) return 'nothing'
  return isRejection(result as never) ? 'rejection' : isAnswer(result as never) ? 'answer' : 'verdict'
}

function treeOf(title: string, lines: readonly Line[]): string {
  const hooks = [...new Set(lines.map(({ hook }) => hook))]
  const width = Math.max(...lines.map(({ plugin }) => plugin.length)) + 8
  const out = [title]
  for (const [i, hook] of hooks.entries()) {
    const last = i === hooks.length - 1
    const own = lines.filter((line) => line.hook === hook)
    out.push(`${last ? '└─' : '├─'} ${hook}`)
    for (const [j, { plugin, final, ms, calls, result }] of own.entries()) {
      const name = `${plugin}${final ? ' (final)' : ''}`.padEnd(width)
      const times = calls === 1 ? '' : `  ${calls} calls`
      const branch = `${last ? '  ' : '│ '} ${j === own.length - 1 ? '└─' : '├─'}`
      out.push(`${branch} ${name} ${ms.toFixed(2).padStart(8)} ms  ${result}${times}`)
    }
  }
  return `${out.join('\n')}\n`
}
