import { Pace, type Steps } from '../util/steps.ts'
import { readAgainInSteps, STEP } from './long-texts.ts'
import type { Decoded } from './readings.ts'
import { foldsUpTo, type RunPlace } from './run-depths.ts'
import { type Stretch, stretches, stretchesAround } from './stretches.ts'

/** A stretch of a text, read again. */
export interface ReadStretch {
  readonly stretch: Stretch
  readonly read: Decoded
}

/**
 * The readings of a complete text that differ from it and from one another: with everything decoded around its escapes and runs,
 * and around its runs those that decode fewer of them; see readings.ts.
 */
export function* readingsInSteps(text: string): Steps<ReadStretch[]> {
  const found: ReadStretch[] = []
  let room = STEP
  for (const stretch of yield* stretches(text)) {
    const source = text.slice(stretch.start, stretch.end)
    const read = yield* readAgainInSteps(source)
    if (read.differs) found.push({ stretch, read })
    if (read.depths > 0) found.push(...(yield* shallowInSteps(source, stretch, read)))
    room -= source.length
    if (room > 0) continue
    yield
    room = STEP
  }
  return found
}

function* shallowInSteps(source: string, whole: Stretch, { depths, runs }: Decoded): Steps<ReadStretch[]> {
  const offset = whole.start
  const found: ReadStretch[] = []
  const last = new Map<number, string>()
  for (let most = 0; 2 << most <= depths; most++) {
    if ((depths & (2 << most)) === 0) continue
    if (!foldsUpTo(most)) {
      const read = yield* readAgainInSteps(source, most)
      if (read.differs) found.push({ stretch: whole, read })
      continue
    }
    const deeper = yield* deeperThan(runs, 2 << most)
    for (const { start, end, from, to } of yield* stretchesAround(source, deeper)) {
      const read = yield* readAgainInSteps(source.slice(start, end), most)
      const stretch = { start: start + offset, end: end + offset, from: from + offset, to: to + offset }
      if (read.differs && last.get(start) !== read.text) found.push({ stretch, read })
      last.set(start, read.text)
    }
  }
  return found
}

/** The runs with a depth that is at least that of a bit, each with the lines of base64 that it is one of: a value may go on in them. */
function* deeperThan(runs: readonly RunPlace[], bit: number): Steps<RunPlace[]> {
  const found: RunPlace[] = []
  const pace = new Pace(STEP)
  for (let i = 0; i < runs.length; ) {
    const first = i
    let isDeeper = false
    do {
      if (pace.spent(1)) yield
      isDeeper ||= (runs[i] as RunPlace).depths >= bit
      i++
    } while (i < runs.length && (runs[i] as RunPlace).start <= (runs[i - 1] as RunPlace).end)
    if (isDeeper) found.push({ ...(runs[first] as RunPlace), end: (runs[i - 1] as RunPlace).end })
  }
  return found
}
