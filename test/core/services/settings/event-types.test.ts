/** Settings that select events: an unknown type would select nothing, in silence. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { eventTypeProblem, eventTypesOf } from '../../../../core/engine/events/catalogue/selection.ts'
import { runHere } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { type NodeOptions, startNode } from './gateways.ts'

const folder = temporaryFolder()
const store = 'memory'

/** The plugin of this folder; its field `types` selects events, and it declares one. */
const selecting: NodeOptions['change'] = (spec) => {
  const settings = spec.settings as NonNullable<PluginSpec['settings']>
  const check = (current: { types: string[] }, tools: Parameters<NonNullable<typeof settings.check>>[1]) =>
    tools.checkEventTypes('types', current.types)
  return { ...spec, events: { 'export.paused': { severity: 'info' } }, settings: { ...settings, check } }
}

describe('types of events', () => {
  const types = eventTypesOf([{ events: { 'vendor.thing_done': { severity: 'info' } } }, {}])

  for (const known of ['request.blocked', 'vendor.thing_done', '*', 'request.*', 'req*', 'vendor.*']) {
    it(`${known} selects something`, () => assert.equal(eventTypeProblem(known, types), undefined))
  }

  const unknown: Record<string, RegExp> = {
    'request.blokced': /^"request\.blokced" is not an event .* Did you mean "request\.blocked"\?$/,
    'vendor.thing_dnoe': /Did you mean "vendor\.thing_done"\?$/,
    'polcy.*': /Did you mean "policy\.\*"\?$/,
    'completely-different': /docs\/events\.md lists them\.$/,
    request: /^"request" is not an event/,
  }
  for (const [pattern, message] of Object.entries(unknown)) {
    it(`${pattern} selects nothing`, () => assert.match(eventTypeProblem(pattern, types) ?? '', message))
  }
})

describe('settings: types of events', () => {
  it('PUT answers 400 with the field, the value and the nearest type; declared ones and patterns hold', async (t) => {
    const node = await startNode({ store, change: selecting })
    t.after(() => node.close())
    const wrong = await node.put({ types: ['request.blocked', 'export.pausde'] })
    assert.deepEqual([wrong.status, wrong.error?.code], [400, 'validation_error'])
    assert.match(
      wrong.error?.message ?? '',
      /types\[1\]: "export\.pausde" is not an event .*Did you mean "export\.paused"\?/,
    )
    const right = await node.put({ types: ['export.paused', 'request.*', '*'] })
    assert.equal(right.status, 200)
  })

  it('does not start with an unknown type of the config or of the environment', async () => {
    const config = startNode({ store, change: selecting, options: { types: ['stream.abortde'] } })
    await assert.rejects(
      config,
      /plugins\[0\]\.options\.types\[0\]: "stream\.abortde" .*Did you mean "stream\.aborted"\?/,
    )
    const variable = startNode({ store, change: selecting, env: { EXPORT_TYPES: '["stream.abortde"]' } })
    await assert.rejects(variable, /EXPORT_TYPES: "stream\.abortde" .*Did you mean "stream\.aborted"\?/)
  })

  it('keeps what was PUT when the plugin behind a type is gone, warns, and other fields may be PUT', async (t) => {
    const shared = `file:${folder}`
    const before = await startNode({ store: shared, change: selecting })
    assert.equal((await before.put({ types: ['export.paused'] })).status, 200)
    await before.close()
    const node = await startNode({
      store: shared,
      change: (spec) => ({ ...(selecting(spec) as PluginSpec), events: {} }),
    })
    t.after(() => node.close())
    const settings = await node.get()
    assert.deepEqual(settings.types, ['export.paused'])
    assert.match(String(settings.warnings), /types\[0\]: "export\.paused" is not an event/)
    assert.ok(node.log.some(({ level, msg }) => level === 'warn' && /^types\[0\]: "export\.paused"/.test(String(msg))))
    assert.equal((await node.put({ size: 7 })).status, 200)
    assert.equal((await node.put({ types: ['export.paused'] })).status, 400)
  })
})

describe('check: types of events of the bundled plugins', () => {
  const MINE = `export default {
  name: 'mine', create: () => ({}), schema: { type: 'object', properties: {} },
  events: { 'mine.found': { severity: 'info' } },
}`
  const config = (siem: string, alert: string): string => `upstreams: { demo: { kind: demo } }
plugins:
  - { use: ./mine.mjs }
  - { use: siem, options: { event_types: [${siem}] } }
  - use: alerting
    options:
      exclude_event_types: ['${alert}']
      destinations:
        - { name: a, url: 'https://93.184.215.14/', event_types: ['${alert}'] }
      enabled: true
`
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('names field, value and nearest type, with the line', async () => {
    write('mine.mjs', MINE)
    const file = write('wrong.yaml', config("'request.blokced', 'mien.*'", 'mine.fuond'))
    const { code, stderr } = await runHere('check', file)
    assert.equal(code, 3)
    const lines = [
      /:4: plugins\[1\]\.options\.event_types\[0\]: "request\.blokced" .*Did you mean "request\.blocked"\?/,
      /:4: plugins\[1\]\.options\.event_types\[1\]: "mien\.\*" .*Did you mean "mine\.\*"\?/,
      /:7: plugins\[2\]\.options\.exclude_event_types\[0\]: "mine\.fuond" .*Did you mean "mine\.found"\?/,
      /:9: plugins\[2\]\.options\.destinations\[0\]\.event_types\[0\]: "mine\.fuond"/,
    ]
    for (const line of lines) assert.match(stderr, line)
  })

  it('accepts types of the core, of plugins that declare them, and patterns', async () => {
    write('mine.mjs', MINE)
    const file = write('right.yaml', config("'request.blocked', 'mine.*', '*'", 'mine.found'))
    const { code, stderr } = await runHere('check', file)
    assert.deepEqual([code, stderr], [0, ''])
  })
})
