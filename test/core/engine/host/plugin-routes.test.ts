/** Handlers and observers that do what they should not. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { PluginSpec, Route, Services } from '../../../../core/engine/contract/plugin.ts'
import { assemble } from '../../../../core/engine/host/host.ts'
import { answerOf } from '../../../../core/engine/http/route-answer.ts'
import { startCli } from '../../../helpers/cli.ts'
import { loaded, NO_OPTIONS, resources, running, silent } from '../../../helpers/core.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { ADMIN_KEY, bearer } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'

const folder = temporaryFolder()

const circle: Record<string, unknown> = {}
circle.again = circle
const hostile = (): never => {
  throw new Error('marker')
}
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  text: () => 'fine',
  'no body': () => ({ status: 200 }),
  'a misspelt body': () => ({ boddy: 1 }),
  'a status that is none': () => ({ status: 999, body: 1 }),
  'a status for later': () => ({ status: 101, body: 1 }),
  'a status of text': () => ({ status: '200', body: 1 }),
  circle: () => ({ body: circle }),
  bigint: () => ({ body: 1n }),
  toJSON: () => ({ body: { toJSON: hostile } }),
  getter: () => Object.defineProperty({}, 'body', { enumerable: true, get: hostile }),
  rejects: () => Promise.reject(new Proxy({}, { get: hostile, getPrototypeOf: hostile })),
}

const route = (path: string, handle: () => unknown): Route => ({
  method: 'GET',
  path,
  auth: 'admin',
  handle: handle as never,
})

describe('routes of plugins', () => {
  it('answer with an error 500 when the handler does not answer well', async (t) => {
    const routes = Object.values(ANSWERS).map((handle, i) => route(`/api/odd/${i}`, handle))
    const { gateway } = await running(t, [
      { name: 'acme', instance: { routes: [...routes, route('/api/good', () => ({ status: 201, body: null }))] } },
    ])
    const get = (path: string) => send(`${gateway.url}${path}`, { method: 'GET', headers: bearer(ADMIN_KEY) })
    for (const [i, name] of Object.keys(ANSWERS).entries()) {
      const reply = await get(`/api/odd/${i}`)
      const text = await reply.text()
      assert.equal(reply.status, 500, name)
      assert.ok((JSON.parse(text) as { error: { type: string } }).error.type, name)
      assert.doesNotMatch(text, /marker/, name)
    }
    const good = await get('/api/good')
    assert.deepEqual([good.status, await good.text()], [201, 'null'])
  })

  it('have a deadline', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const answer = answerOf(
      route('/api/hangs', () => new Promise(() => {})),
      {} as never,
    )
    t.mock.timers.tick(60_000)
    await assert.rejects(answer, { code: 'GW_PLUGIN_TIMEOUT', message: /GET \/api\/hangs did not answer within 60 s/ })
  })
})

it('observers that emit for every event come to an end', async () => {
  let seen = 0
  const from = resources({ ...silent, event: () => void seen++ })
  let emit = (): void => {}
  const spec = {
    name: 'echo',
    schema: NO_OPTIONS,
    events: { 'echo.heard': { severity: 'info' } },
    create(_: unknown, services: Services) {
      emit = () => services.emit('echo.heard' as never, {} as never)
      return {
        apply: (hooks: { onEvent: { tap(name: string, fn: () => void): void } }) =>
          hooks.onEvent.tap('echo', () => emit()),
      }
    },
  } as never as PluginSpec
  await assemble([loaded(spec, 0)], from)
  emit()
  assert.equal(seen, 3)
})

it('a rejection that cannot even be asked does not end the process', async () => {
  const source = `const traps = { get() { throw 1 }, getPrototypeOf() { throw 1 }, has() { throw 1 }, ownKeys() { throw 1 } }
export default { name: 'rejects', schema: { type: 'object' }, create: () => ({ start() {
  Promise.reject(new Proxy({}, traps))
  Promise.reject({ toString() { throw 1 }, [Symbol.toPrimitive]() { throw 1 } })
  Promise.reject(Object.create(null))
} }) }`
  writeFileSync(join(folder, 'rejects.mjs'), source)
  const path = join(folder, 'g.yaml')
  writeFileSync(
    path,
    'listen: { port: 0 }\nstore: memory\nupstreams: { demo: { kind: demo } }\nplugins: [{ use: ./rejects.mjs }]\n',
  )
  const gateway = await startCli(['--config', path])
  assert.equal((await fetch(`${gateway.url}/health/live`)).status, 200)
  gateway.kill('SIGTERM')
  assert.equal((await gateway.ended).code, 0)
  assert.equal(gateway.lines.filter(({ msg }) => msg === 'unhandled rejection').length, 3)
})
