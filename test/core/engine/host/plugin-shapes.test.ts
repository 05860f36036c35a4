/** What a plugin declares is read strictly: a slip is an error at load, with the member that was meant. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instance } from '../../../../core/engine/contract/plugin.ts'
import { assemble } from '../../../../core/engine/host/host.ts'
import { assertPluginSpec } from '../../../../core/engine/host/loader-contract.ts'
import { chainOf, loaded, NO_OPTIONS, resources, running } from '../../../helpers/core.ts'

const route = { method: 'GET', path: '/api/x', auth: 'admin', handle: () => ({ body: 1 }) }

const rejecting = Promise.reject(new Error('late'))
rejecting.catch(() => {})

const INSTANCES: Readonly<Record<string, [instance: unknown, told: RegExp]>> = {
  'a misspelt auth': [
    { routes: [{ ...route, auth: 'amdin' }] },
    /`routes\[0\]\.auth` must be admin or user or none; got "amdin"\. Did you mean "admin"\?/,
  ],
  'no auth': [{ routes: [{ ...route, auth: undefined }] }, /`routes\[0\]\.auth` must be .* missing/],
  'a misspelt member of a route': [{ routes: [{ ...route, hanlde: () => 1 }] }, /hanlde.*Did you mean "handle"\?/],
  'a misspelt method': [{ routes: [{ ...route, method: 'get' }] }, /`routes\[0\]\.method` must be GET/],
  'a relative path': [{ routes: [{ ...route, path: 'api/x' }] }, /`routes\[0\]\.path` must be an exact path/],
  'a path with a query': [{ routes: [{ ...route, path: '/api/x?y=1' }] }, /must be an exact path/],
  'a body that is no schema': [{ routes: [{ ...route, body: { typ: 'object' } }] }, /`routes\[0\]\.body`.*typ/],
  'a handler that is none': [{ routes: [{ ...route, handle: {} }] }, /`routes\[0\]\.handle` must be a function/],
  'routes that are no list': [{ routes: route }, /`routes` must be an array/],
  'a misspelt detect': [{ detetc() {} }, /`detetc` is no member .* Did you mean "detect"\?/],
  'an unknown member': [{ onClose() {} }, /`onClose` is no member .* Known: detect/],
  'a detect that cannot be called': [{ detect: true }, /`detect` must be a function/],
  'a direction that is none': [{ detect() {}, detects: 'inputs' }, /`detects` must be 'input', 'output' or 'both'/],
  'a direction of nothing': [{ detects: 'input' }, /`detects` says what `detect` is called for, and there is none/],
  'a start that cannot be called': [{ start: Promise.resolve() }, /`start` must be a function/],
  nothing: [undefined, /`create` must return an object/],
  'a list': [[], /`create` must return an object/],
  'a promise': [Promise.resolve({}), /`create` returned a promise/],
  'a promise that rejects': [rejecting, /`create` returned a promise/],
  'a class with a slip': [
    new (class {
      aply() {}
    })(),
    /`aply` is no member .* Did you mean "apply"\?/,
  ],
}

const chainWith = (create: () => unknown) =>
  assemble([loaded({ name: 'acme', schema: NO_OPTIONS, create: create as never }, 0)], resources())

describe('what create returns', () => {
  for (const [name, [instance, told]] of Object.entries(INSTANCES)) {
    it(`is refused: ${name}`, async () => {
      await assert.rejects(
        chainWith(() => instance),
        (error: Error) => {
          assert.match(error.message, /'acme'/)
          assert.match(error.message, told)
          return true
        },
      )
    })
  }

  it('may be an object of a class with members of its own', async () => {
    class Plugin implements Instance {
      started = 0
      restart() {
        this.started++
      }
      start() {
        this.restart()
      }
    }
    const plugin = new Plugin()
    await chainWith(() => plugin)
    assert.equal(plugin.started, 1)
  })

  for (const detects of ['input', 'output', 'both', undefined] as const) {
    it(`has taps for the texts that it names: ${detects}`, async () => {
      const instance = { detect() {}, ...(detects !== undefined && { detects }) }
      const { chain } = await chainWith(() => instance)
      assert.deepEqual([chain.inspectsInput, chain.inspectsOutput], [detects !== 'output', detects !== 'input'])
    })
  }

  it('may not register later: a promise of apply is refused', async () => {
    for (const end of [async () => {}, () => Promise.reject(new Error('late'))]) {
      await assert.rejects(chainOf([{ name: 'acme', apply: end as never }]), /'acme'.*`apply` returned a promise/)
    }
  })

  it('is judged before a gateway listens: a route with a misspelt auth opens to nobody', async (t) => {
    const routes = [{ ...route, auth: 'amdin' }] as never
    await assert.rejects(running(t, [{ name: 'acme', instance: { routes } }]), /Did you mean "admin"/)
  })
})

const base = { name: 'acme', schema: NO_OPTIONS, create: () => ({}) }
const mode = { values: ['off', 'on'] }
const settings = {
  path: '/api/settings/acme',
  schema: { type: 'object', additionalProperties: false, properties: { url: { type: 'string' } } },
}

const SPECS: Readonly<Record<string, [members: object, told: RegExp]>> = {
  'a misspelt member': [{ onEror: 'allow' }, /`onEror` is no member .* Did you mean "onError"\?/],
  'a member of the config': [{ timeout_ms: 5 }, /`timeout_ms` .* Did you mean "timeoutMs"\?/],
  'a fact without a key': [{ requires: ['flags'] }, /`requires` must be an array of facts/],
  'a misspelt member of a flag': [{ flags: { m: { ...mode, defualt: 'on' } } }, /`flags\.m\.defualt`.*"default"/],
  'a flag without values': [{ flags: { m: {} } }, /`flags\.m\.values` must be/],
  'a default that is no value': [{ flags: { m: { ...mode, default: 'onn' } } }, /`flags\.m\.default`.*"onn".*"on"/],
  'an alias of no value': [{ flags: { m: { ...mode, aliases: { x: 'of' } } } }, /`flags\.m\.aliases\.x`.*"off"/],
  'a flag of no option': [{ flags: { m: { ...mode, option: 'action' } } }, /`flags\.m\.option` must name an option/],
  'a file of no option': [{ writes: ['path'] }, /`writes` must name an option of the schema; got "path"/],
  'mistyped files': [{ writes: 'path' }, /`writes` must be an array/],
  'a misspelt severity': [{ events: { 'a.b': { severity: 'infos' } } }, /`events\.a\.b\.severity`.*"info"/],
  'a misspelt member of an event': [{ events: { 'a.b': { severity: 'info', shema: {} } } }, /shema.*"schema"/],
  'misspelt settings': [{ settings: { ...settings, secerts: ['url'] } }, /`settings\.secerts`.*"secrets"/],
  'settings without a path': [{ settings: { schema: settings.schema } }, /`settings\.path` must be a string/],
  'mistyped secrets': [{ settings: { ...settings, secrets: 'url' } }, /`settings\.secrets` must be an array/],
}

describe('what a plugin declares', () => {
  for (const [name, [members, told]] of Object.entries(SPECS)) {
    it(`is refused: ${name}`, () => {
      assert.throws(() => assertPluginSpec({ ...base, ...members }), { message: told })
    })
  }

  it('is taken when every member is known', () => {
    assertPluginSpec({
      ...base,
      flags: { m: { ...mode, default: 'on', integer: true, aliases: { yes: 'on' } }, n: { values: 'integer' } },
      events: { 'a.b': { severity: 'info', schema: { type: 'object' } } },
      settings: { ...settings, env: { url: 'ACME_URL' }, secrets: ['url'], check: () => [] },
      requires: [{ key: 'acme/x' }],
    })
  })
})
