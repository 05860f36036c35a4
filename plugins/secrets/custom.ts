/** The operator's own formats. RE2 matches every expression in linear time. */
import { GatewayError } from 'governed-gateway'
import { RE2JS } from 're2js'
import type { Options } from './schema.ts'

export interface Own {
  readonly type: string
  readonly expression: RE2JS
  readonly maxLength: number
}

export interface OwnMatch {
  readonly type: string
  readonly start: number
  readonly end: number
}

export function compileOwn(patterns: Options['patterns']): Own[] {
  return patterns.map(({ type, pattern, max_length }, i) => {
    const where = `options.patterns[${i}].pattern`
    let expression: RE2JS
    try {
      expression = RE2JS.compile(pattern)
    } catch (cause) {
      throw new GatewayError(
        'GW_CONFIG',
        `secrets: ${where} is no valid RE2 expression; look-around and back-references do not exist there`,
        { param: where, cause },
      )
    }
    if (expression.matcher('').find()) {
      throw new GatewayError(
        'GW_CONFIG',
        `secrets: ${where} matches the empty text; make it match at least one character`,
        { param: where },
      )
    }
    return { type, expression, maxLength: max_length }
  })
}

/**
 * Finds matches that begin at `from` or later.
 *
 * @param floors end of each pattern's last match; updated
 * @returns `hold`: unless `final`, where a match may still begin or grow
 */
export function findOwn(
  own: readonly Own[],
  text: string,
  from: number,
  floors: number[],
  final: boolean,
): { matches: OwnMatch[]; hold: number } {
  const decided: (OwnMatch & { index: number })[] = []
  let hold = text.length
  own.forEach(({ type, expression, maxLength }, index) => {
    const settled = final ? text.length : Math.max(from, text.length - maxLength)
    hold = Math.min(hold, settled)
    const matcher = expression.matcher(text)
    let at = Math.max(from, floors[index] ?? 0)
    while (at < text.length && matcher.find(at)) {
      const start = matcher.start()
      const end = matcher.end()
      if (start >= settled && !final) break
      // A match at the end of an unfinished text may grow, so it waits.
      if (end === text.length && !final && end - start < maxLength) hold = Math.min(hold, start)
      else decided.push({ type, start, end, index })
      at = Math.max(end, start + 1)
    }
  })
  // A complete match that overlaps held text waits as a whole.
  for (const { start, end } of [...decided].sort((a, b) => b.start - a.start))
    if (end > hold) hold = Math.min(hold, start)
  const matches = decided.filter(({ end }) => end <= hold)
  for (const { index, end } of matches) floors[index] = Math.max(floors[index] ?? 0, end)
  return { matches, hold }
}
