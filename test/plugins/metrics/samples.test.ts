/** The dashboard and the alert rules name metrics and labels that exist. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { parse } from 'yaml'
import { PACKAGE_ROOT } from '../../../core/engine/util/package.ts'
import { startReceiver } from '../../../core/testing/receiver.ts'
import { METRICS, type MetricInfo } from '../../../plugins/metrics/table.ts'
import { setup } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { noPromtool, promtool, parse as readPage } from './text.ts'

const file = (name: string): string => join(PACKAGE_ROOT, 'config', name)
const dashboard = JSON.parse(readFileSync(file('grafana-dashboard.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const rules = parse(readFileSync(file('prometheus-rules.yaml'), 'utf8')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string; action: string } }[] }[]
}
const alerts = rules.groups.flatMap((group) => group.rules)

/** Labels that Prometheus itself adds. */
const ADDED = ['job', 'instance', 'le']
const NAME = /\b(?:gateway|gen_ai_client|process|nodejs)_[a-z_]+/g

it('dashboard and rules use metrics and labels that the gateway serves', async (t) => {
  const limits = [{ id: 'all', scope: 'global', unit: 'tokens', limit: 1000, window: 'day' }]
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const { origin, host } = new URL(receiver.url)
  const otel = { use: 'otel', options: { endpoint: origin, logs: false } }
  const { gateway } = await setup(t, {
    plugins: [{ use: 'metrics' }, otel, { use: 'budget', options: { limits } }, { use: 'siem' }],
    config: { egress: { allow: [host] } },
  })
  const page = readPage(await (await send(`${gateway.url}/metrics`, { method: 'GET' })).text())
  const labelsOf = (name: string): readonly string[] => {
    const info = (METRICS as Readonly<Record<string, MetricInfo>>)[name]
    if (info !== undefined) return info.labels
    const samples = page.samples.filter((sample) => sample.name === name)
    assert.ok(samples.length > 0, `${name} is served`)
    return Object.keys(samples[0]?.labels ?? {})
  }
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.map(({ expr }) => expr),
  ]
  for (const expr of expressions) {
    const names = (expr.match(NAME) ?? []).filter((name) => !name.startsWith('gen_ai_request'))
    assert.ok(names.length > 0, expr)
    const known = new Set(ADDED)
    for (const name of names) {
      const base = name.replace(/_bucket$/, '')
      assert.ok(page.types.has(base), `${base} of: ${expr}`)
      for (const label of labelsOf(base)) known.add(label)
    }
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
    const selected = [...expr.matchAll(/[{,]\s*([a-z_]+)(?:=|!=|=~)"/g)].map(([, label = '']) => label)
    for (const label of [...grouped, ...selected]) assert.ok(known.has(label), `${label} of: ${expr}`)
  }
  // Prometheus sees no increase when a series appears with its first value.
  const waiting = [...expressions.join('\n').matchAll(/(?:increase|rate)\((gateway_\w+)\{(type|reason)="([\w.]+)"\}/g)]
  assert.ok(waiting.length >= 3)
  for (const [, name = '', label = '', value = ''] of waiting) {
    const found = page.samples.filter((sample) => sample.name === name && sample.labels[label] === value)
    assert.deepEqual(
      found.map((sample) => sample.value),
      [0],
      `${name} ${value} is there from the start`,
    )
  }
  assert.equal(new Set(dashboard.panels.map(({ title }) => title)).size, dashboard.panels.length)
  assert.ok(alerts.every(({ annotations }) => annotations.summary !== '' && annotations.action !== ''))
})

it('promtool accepts the rules', { skip: noPromtool }, () => {
  assert.match(promtool(['check', 'rules', file('prometheus-rules.yaml')]), /SUCCESS: 14 rules found/)
})

it('the alert of a node that is gone fires for that node only, and ends by itself', { skip: noPromtool }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-rules-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const series = (instance: string) => `gateway_build_info{job="gateway", instance="${instance}"}`
  const gone = {
    exp_labels: { severity: 'warning', job: 'gateway', instance: 'b' },
    exp_annotations: {
      summary: 'b was scraped ten minutes ago and is not any more.',
      action: 'If nobody stopped it, look at its process and its log. The other nodes serve.',
    },
  }
  const fires = (eval_time: string, exp_alerts: object[]) => ({ eval_time, alertname: 'GatewayNodeGone', exp_alerts })
  const input_series = [
    { series: series('a'), values: '1x60' },
    { series: series('b'), values: '1x20' },
  ]
  const path = join(folder, 'test.json')
  const tests = [
    { interval: '1m', input_series, alert_rule_test: [fires('19m', []), fires('28m', [gone]), fires('40m', [])] },
  ]
  writeFileSync(path, JSON.stringify({ rule_files: [file('prometheus-rules.yaml')], tests }))
  promtool(['test', 'rules', path])
})

it('promtool accepts the expressions of the dashboard', { skip: noPromtool }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-rules-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const recorded = dashboard.panels.flatMap(({ targets }, i) =>
    targets.map(({ expr }, j) => ({ record: `panel:${i}_${j}`, expr: expr.replaceAll('$__rate_interval', '5m') })),
  )
  const path = join(folder, 'rules.json')
  writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }))
  promtool(['check', 'rules', path])
})
