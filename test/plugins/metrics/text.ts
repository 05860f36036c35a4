/** Reads Prometheus' text format, written from its description and not from what we write. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Parsed {
  readonly types: ReadonlyMap<string, string>
  readonly samples: readonly Sample[]
  /** The value of the one sample with these labels; 0 if there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number
}

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?[0-9.e+-]+|[+-]?Inf|NaN|Nan)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

export function parse(text: string): Parsed {
  assert.ok(text.endsWith('\n'), 'the last line has its end')
  const types = new Map<string, string>()
  const samples: Sample[] = []
  const seen = new Set<string>()
  const done = new Set<string>()
  let family = ''
  for (const line of text.split('\n').slice(0, -1)) {
    if (line === '' || line.startsWith('# HELP ')) continue
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)
    if (type !== null) {
      const [, name = '', kind = ''] = type
      assert.ok(!types.has(name), `${name} has one TYPE`)
      done.add(family)
      family = name
      types.set(name, kind)
      continue
    }
    const [, name = '', inner = '', value = ''] = LINE.exec(line) ?? assert.fail(`no sample: ${line}`)
    const base = types.get(family) === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name
    assert.equal(base, family, 'lines of a metric stand together')
    assert.ok(!done.has(family))
    const key = `${name}{${inner}}`
    assert.ok(!seen.has(key), `${key} stands once`)
    seen.add(key)
    samples.push({ name, labels: labelsOf(inner), value: Number(value.replace('Inf', 'Infinity')) })
  }
  for (const [name, kind] of types) if (kind === 'histogram') checkBuckets(name, samples)
  const value: Parsed['value'] = (name, labels = {}) => {
    const found = samples.filter(
      (one) => one.name === name && Object.entries(labels).every(([label, wanted]) => one.labels[label] === wanted),
    )
    return found.reduce((sum, one) => sum + one.value, 0)
  }
  return { types, samples, value }
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const [, name = '', value = ''] = LABEL.exec(text) ?? assert.fail(`no labels: ${text}`)
    assert.ok(!Object.hasOwn(labels, name))
    labels[name] = value.replace(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one))
  }
  return labels
}

/** Cumulative, in rising order, and the last one counts all. */
function checkBuckets(name: string, samples: readonly Sample[]): void {
  const series = new Map<string, Sample[]>()
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket`) continue
    const { le: _, ...rest } = sample.labels
    const key = JSON.stringify(rest)
    series.set(key, [...(series.get(key) ?? []), sample])
  }
  for (const [key, buckets] of series) {
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('Inf', 'Infinity')))
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
    )
    const counts = buckets.map(({ value }) => value)
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    )
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY)
    const count = samples.find((one) => one.name === `${name}_count` && JSON.stringify(one.labels) === key)
    assert.equal(count?.value, counts.at(-1), `${name} ${key}`)
  }
}

/** Why the test cannot run, if it cannot. */
export const noPromtool: string | false =
  spawnSync('promtool', ['--version']).error === undefined
    ? false
    : 'promtool is not installed: apt-get install prometheus, or a release of prometheus/prometheus'

export function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
  return `${stdout}${stderr}`
}
