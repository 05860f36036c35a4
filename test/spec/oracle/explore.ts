/** Runs cases one after the other, finds out which classes fail, and shrinks one of each. */
import fc from 'fast-check'
import { type Case, cases, tagsOf } from './case.ts'
import { isExcluded } from './exclusions.ts'
import { isPending } from './pending.ts'
import { makeCanary } from './values.ts'
import type { Failure, Worlds } from './worlds.ts'

export interface Options {
  seed: number
  /** Stops after so many cases, or when this says so. */
  cases: number
  until?: () => boolean
  /** Only cases with all these tags. */
  classes?: readonly string[]
  /** Tries pending classes too. */
  pending?: boolean
  onFailure?: (failure: Failure) => void
  onProgress?: (done: number) => void
  stopAtFirst?: boolean
  /** What every case has, whatever its seed says. */
  only?: Partial<Case>
  /** False: failures are told as they came. */
  shrinks?: boolean
  /** After so many cases, what was kept is searched, and other gateways go on. */
  renewEvery?: number
}

export interface Summary {
  done: number
  /** Cases by tag. */
  counts: Map<string, number>
  failures: Failure[]
}

const isWanted = (x: Case, options: Options): boolean => {
  const tags = tagsOf(x)
  return (
    (options.classes ?? []).every((tag) => tags.includes(tag)) &&
    !isExcluded(x) &&
    (options.pending === true || !isPending(tags))
  )
}

/** The case of a seed: one seed, one case, whatever else is run. */
export function caseOf(seed: number): Case {
  return fc.sample(cases, { seed, numRuns: 1 })[0] as Case
}

/** Faults without what differs from value to value, so that the same fault is told once. */
export const signatureOf = (x: Case, faults: readonly string[]): string => {
  const fault = (faults[0] ?? '').replace(/\d+/g, 'N')
  const oddities = [x.reading, x.outer].filter((name) => name !== 'plain')
  const odd = oddities.length > 0 ? oddities.join('+') : x.place
  return `${x.config}/${x.side}/${x.kind}/${odd}/${fault.split(':').slice(0, 2).join(':')}`
}

export async function explore(worlds: Worlds, options: Options): Promise<Summary> {
  const summary: Summary = { done: 0, counts: new Map(), failures: [] }
  const known = new Set<string>()
  for (let seed = options.seed; summary.done < options.cases && !options.until?.(); seed += 1) {
    const x = { ...caseOf(seed), ...options.only }
    if (!isWanted(x, options)) {
      if (seed - options.seed > options.cases * 2000) break
      continue
    }
    if (summary.done > 0 && summary.done % (options.renewEvery ?? Infinity) === 0) {
      for (const failure of await worlds.renew()) {
        summary.failures.push(failure)
        options.onFailure?.(failure)
      }
    }
    summary.done += 1
    for (const tag of tagsOf(x)) summary.counts.set(tag, (summary.counts.get(tag) ?? 0) + 1)
    const judgement = await worlds.judge(x, seed)
    options.onProgress?.(summary.done)
    if (judgement.faults.length === 0) continue
    const signature = signatureOf(x, judgement.faults)
    if (known.has(signature)) continue
    known.add(signature)
    const found: Failure = { seed, case: x, faults: judgement.faults, judgement }
    const failure = options.shrinks === false ? found : await shrink(worlds, options, found)
    known.add(signatureOf(failure.case, failure.faults))
    summary.failures.push(failure)
    options.onFailure?.(failure)
    if (options.stopAtFirst) return summary
  }
  return summary
}

/** Lets fast-check shrink, as long as a case still fails in the same way. */
async function shrink(worlds: Worlds, options: Options, first: Failure): Promise<Failure> {
  let last = first
  const kind = (first.faults[0] as string).split(':').slice(0, 2).join(':')
  const property = fc.asyncProperty(cases, async (drawn) => {
    const x = { ...drawn, ...options.only }
    if (!isWanted(x, options)) return true
    const judgement = await worlds.judge(x, first.seed)
    if (!judgement.faults.some((fault) => fault.startsWith(kind))) return true
    last = { seed: first.seed, case: x, faults: judgement.faults, judgement }
    return false
  })
  await fc.check(property, { seed: first.seed, numRuns: 1, interruptAfterTimeLimit: 3_000 })
  return last
}

export const tell = ({ seed, case: x, faults, judgement }: Failure): string => {
  const short = (text: string | undefined) => (text ?? '').slice(0, 1200)
  const lines = [
    `seed ${seed}: ${faults.join('; ')}`,
    `  again: npm run test:oracle -- --case '${JSON.stringify(x).replaceAll("'", "'\\''")}'`,
    `  value ${JSON.stringify(makeCanary(x.kind, x.value).value)}`,
  ]
  if (judgement) {
    lines.push(`  request ${short(judgement.request)}`, `  sent ${short(judgement.sent)}`)
    lines.push(`  said ${short(judgement.said)}`, `  got ${judgement.got.status} ${short(judgement.got.body)}`)
  }
  return lines.join('\n')
}
