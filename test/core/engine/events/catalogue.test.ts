import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Ajv } from 'ajv'
import type { GovernanceEvent } from '../../../../core/engine/contract/plugin.ts'
import { CORE_CATALOGUE, CORE_EVENTS, TERMINAL } from '../../../../core/engine/events/catalogue/core-events.ts'
import { catalogueOf, eventsSchema } from '../../../../core/engine/events/catalogue/index.ts'
import { describerOf } from '../../../../core/engine/events/description.ts'
import { bundledSpecs } from '../../../../core/engine/host/loader.ts'
import { encode, eventSource } from '../../../../core/kit/formats/index.ts'
import { sources } from '../../../rules/sources.ts'
import { parseCef } from '../../services/audit/cef-parser.ts'
import { ocsfProblems } from '../../services/audit/ocsf-schemas.ts'
import { CANARIES, KEYS, type Run, runEverything } from './scenario.ts'

const specs = await bundledSpecs()
const catalogue = catalogueOf(specs)
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true })
ajv.addSchema(eventsSchema(specs), 'events')

function problemsOf(event: GovernanceEvent): string[] {
  const validate = ajv.getSchema(`events#/definitions/${event.type}`)
  if (validate === undefined) return [`${event.type} is in no catalogue: declare it in \`events\` of its plugin`]
  if (validate(event as unknown)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${event.type}${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

describe('the catalogue of events', () => {
  let run: Run
  const closers: (() => void | Promise<void>)[] = []
  before(async () => {
    run = await runEverything({ after: (close) => closers.unshift(close) })
  })
  after(async () => {
    for (const close of closers) await close()
  })

  it('knows the six that end an exchange', () => {
    assert.equal(TERMINAL.size, 6)
    for (const type of TERMINAL) assert.ok(CORE_CATALOGUE[type]?.required.includes('request_id'))
    assert.equal(CORE_EVENTS['request.blocked'], 'block')
  })

  it('is complete: every event that was told is in it and fits its schema', () => {
    assert.ok(run.events.length > 50)
    assert.deepEqual([...new Set(run.events.flatMap(problemsOf))], [])
  })

  it('is true: every event was really told', () => {
    const told = new Set(run.events.map(({ type }) => type))
    assert.deepEqual(
      Object.keys(CORE_CATALOGUE).filter((type) => !told.has(type)),
      [],
    )
    assert.deepEqual(
      [...catalogue.keys()].filter((type) => !told.has(type)),
      [],
    )
  })

  it('holds in the trail too, with the members of the chain', () => {
    const lines = readFileSync(join(run.folder, 'audit.jsonl'), 'utf8').split('\n').slice(0, -1)
    const events = lines.map((line) => JSON.parse(line) as GovernanceEvent)
    assert.deepEqual([...new Set(events.flatMap(problemsOf))], [])
    for (const { seq, prev_hash, hash } of events) assert.ok(seq && prev_hash && hash)
  })

  it('reaches receivers in every format', () => {
    const source = eventSource({ source_name: 'gw', environment: 'test' }, describerOf(specs))
    const some = [...Map.groupBy(run.events, ({ type }) => type).values()].flatMap((events) => events.slice(0, 20))
    for (const event of some) {
      assert.deepEqual(problemsOf(JSON.parse(encode('json', event, source))), [])
      assert.equal(parseCef(encode('cef', event, source)).header.deviceEventClassId, event.type)
      assert.deepEqual(ocsfProblems(JSON.parse(encode('ocsf', event, source))), [], event.type)
    }
  })

  it('every exchange ends in exactly one terminal event', () => {
    const ends = new Map<string, number>()
    for (const { request_id, type } of run.events) {
      const id = request_id as string | undefined
      if (id !== undefined) ends.set(id, (ends.get(id) ?? 0) + (TERMINAL.has(type) ? 1 : 0))
    }
    assert.deepEqual(
      [...ends].filter(([, count]) => count !== 1),
      [],
    )
  })

  it('names every type that the sources emit', () => {
    const emitted = sources(['core', 'plugins'], /\.ts$/).flatMap(({ path, text }) =>
      [...text.matchAll(/(?:emit|note|tell)\(\s*'([a-z_]+\.[a-z_]+)'/g)].map(([, type]) => ({
        path,
        type: type as string,
      })),
    )
    assert.ok(emitted.length > 10)
    assert.deepEqual(
      emitted.filter(({ type }) => !catalogue.has(type)),
      [],
      'declare it in `events` of the plugin, or in core/engine/events/catalogue',
    )
  })

  it('nothing that a user wrote, and no key, is in an event, a log line or a file', () => {
    const texts = new Map<string, string>([
      ['events', JSON.stringify(run.events)],
      ['log', run.log.join('')],
      ['receivers', run.delivered.join('')],
      ...files(run.folder).map((file) => [file, readFileSync(file, 'latin1')] as const),
    ])
    assert.ok(texts.size > 5 && run.tokens.length > 0 && run.delivered.length > 10)
    const forbidden = [...Object.values(CANARIES), ...KEYS, ...run.tokens]
    const found = [...texts].flatMap(([name, text]) =>
      forbidden.filter((canary) => text.includes(canary)).map((canary) => `${canary} in ${name}`),
    )
    assert.deepEqual(found, [])
  })
})

/** All that was written; the config, which holds the test's keys, is the operator's. */
function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => statSync(file).isFile() && !file.endsWith('.yaml'))
}
