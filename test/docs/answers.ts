/** Compares an answer that a page shows with what was really printed. What changes from run to run may differ. */
import assert from 'node:assert/strict'

/** Every JSON object in a text: whole, on a line of its own, as an event of a stream, or in between. */
export function jsonIn(text: string): object[] {
  const found: object[] = []
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start)) {
    const end = endOf(text, start)
    try {
      found.push(JSON.parse(text.slice(start, end)) as object)
      start = end
    } catch {
      start += 1
    }
  }
  return found
}

/** Behind the brace that closes the one at `start`, or the end of the text. */
function endOf(text: string, start: number): number {
  let depth = 0
  for (const { 0: part, index } of text.slice(start).matchAll(/"(?:[^"\\\n]|\\.)*"|[{}]/g)) {
    if (part === '{') depth += 1
    if (part === '}') depth -= 1
    if (depth === 0) return start + index + 1
  }
  return text.length
}

const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\b[0-9a-f]{32,64}\b|(?<=_)[0-9a-f]{32}\b/g, '<hex>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
]
const VOLATILE_NUMBERS = /(^|_)(ms|seq|created|time)$/

const normal = (text: string): string => VOLATILE.reduce((rest, [form, name]) => rest.replace(form, name), text)

/** `…` in what is shown stands for any text. */
function sameText(shown: string, real: string): boolean {
  const pattern = normal(shown)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('[^\\n]*')}$`).test(normal(real))
}

export function fits(shown: unknown, real: unknown, member = ''): boolean {
  if (typeof shown === 'string') return typeof real === 'string' && sameText(shown, real)
  if (typeof shown === 'number' && VOLATILE_NUMBERS.test(member)) return typeof real === 'number'
  if (typeof shown !== 'object' || shown === null) return shown === real
  if (typeof real !== 'object' || real === null || Array.isArray(shown) !== Array.isArray(real)) return false
  const names = Object.keys(shown).filter((name) => name !== '…')
  // A member `…` stands for any that are not shown.
  if (!Object.hasOwn(shown, '…') && names.length !== Object.keys(real).length) return false
  return names.every((name) => {
    if (!Object.hasOwn(real, name)) return false
    return fits((shown as never)[name], (real as never)[name], Array.isArray(shown) ? member : name)
  })
}

/** Fails unless one of the answers, or an object within one, is the one shown. */
export function assertShown(shown: string, printed: string): void {
  const wanted = JSON.parse(shown) as object
  const all = jsonIn(printed).flatMap(within)
  if (all.some((real) => fits(wanted, real))) return
  const shared = (real: object): number => Object.keys(wanted).filter((name) => Object.hasOwn(real, name)).length
  const nearest = all.toSorted((a, b) => shared(b) - shared(a))[0]
  assert.fail(`no such answer:\n${shown}\nthe nearest is:\n${JSON.stringify(nearest, null, 2)}`)
}

const within = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(within)] : []

/** Fails unless the lines shown were printed, in this order. A line `…` stands for any number of lines. */
export function assertPrinted(shown: string, printed: string): void {
  const plain = (line: string): string => normal(line).replace(/\d+/g, '0')
  const real = printed.split('\n').map(plain)
  let from = 0
  for (const line of shown.trimEnd().split('\n')) {
    if (line === '…') continue
    const at = real.findIndex((candidate, index) => index >= from && sameText(plain(line), candidate))
    assert.ok(at >= 0, `not printed: ${line}\nin:\n${printed.slice(-4000)}`)
    from = at + 1
  }
}
