/** Regular expressions that core and plugins build at run time. */
import { join, relative } from 'node:path'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'

export interface Built {
  /** Where it was built, as `plugins/pii/index.ts:12`. */
  readonly place: string
  /** As a literal. */
  readonly literal: string
}

/** Every expression that files of these folders of the package build while `run` lasts. Modules that were loaded before built theirs. */
export async function builtWhile(folders: readonly string[], run: () => Promise<void>): Promise<Built[]> {
  const built = new Map<string, Built>()
  const inside = folders.map((folder) => join(PACKAGE_ROOT, folder, '/'))
  const note = (expression: RegExp): RegExp => {
    const place = callerOf(note)
    if (place !== undefined && inside.some((folder) => place.startsWith(folder))) {
      const literal = String(expression)
      built.set(literal, { place: relative(PACKAGE_ROOT, place), literal })
    }
    return expression
  }
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, parts, newTarget) => note(Reflect.construct(target, parts, newTarget) as RegExp),
    apply: (target, self, parts) => note(Reflect.apply(target, self, parts) as RegExp),
  })
  try {
    await run()
  } finally {
    globalThis.RegExp = Original
  }
  return [...built.values()]
}

/** A path, or the URL of a file. */
const FRAME = /(?:file:\/\/)?(\/[^()]+):(\d+):\d+\)?$/

/** File and line of what called the constructor. */
function callerOf(own: (expression: RegExp) => RegExp): string | undefined {
  const trace: { stack?: string } = {}
  Error.captureStackTrace(trace, own)
  // The handler of the proxy is the first frame.
  const frame = FRAME.exec(trace.stack?.split('\n')[2] ?? '')
  return frame === null ? undefined : `${frame[1]}:${frame[2]}`
}
