import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { KeyCommand } from '../../../../core/engine/upstreams/key-command.ts'
import { chat, chunks, type Provider, startProvider, stream } from '../../../../core/testing/provider.ts'
import { running } from '../../../helpers/core.ts'
import { assertError } from '../../../helpers/errors.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, post } from '../../../helpers/gateway.ts'
import { until } from '../../../helpers/until.ts'
import { ask, upstreamOf } from '../../../helpers/upstream.ts'

async function rig(t: TestContext): Promise<{ provider: Provider; folder: string }> {
  const folder = temporaryFolder()
  const provider = await startProvider()
  t.after(() => provider.close())
  return { provider, folder }
}

const keys = ({ requests }: Provider) => requests.map(({ headers }) => headers.authorization)

describe('key_file', () => {
  it('is read again when it changes, is replaced, or its symbolic link is swapped', async (t) => {
    const { provider, folder } = await rig(t)
    // The layout of a Kubernetes secret: key -> ..data/key, ..data -> a folder of its own for each version.
    for (const version of ['one', 'two']) {
      mkdirSync(join(folder, version))
      writeFileSync(join(folder, version, 'key'), `sk-${version}\n`)
    }
    symlinkSync('one', join(folder, '..data'))
    symlinkSync(join('..data', 'key'), join(folder, 'key'))
    const { upstream, told } = upstreamOf(t, { url: provider.url, key_file: join(folder, 'key') })
    await ask(upstream)
    symlinkSync('two', join(folder, '..new'))
    renameSync(join(folder, '..new'), join(folder, '..data'))
    await ask(upstream)
    writeFileSync(join(folder, 'two', 'key'), '  sk-three-is-longer \r\n')
    provider.reply(stream(chunks('streamed')))
    await ask(upstream, '{"stream":true}')
    assert.deepEqual(keys(provider), ['Bearer sk-one', 'Bearer sk-two', 'Bearer sk-three-is-longer'])
    assert.deepEqual(told, [])
  })

  it('keeps the last good key while the file is missing or holds no key, and tells once for each change', async (t) => {
    const { provider, folder } = await rig(t)
    const file = join(folder, 'key')
    writeFileSync(file, 'sk-one')
    const { upstream, told } = upstreamOf(t, { url: provider.url, key_file: file })
    for (const content of [undefined, '', 'two lines\nof text']) {
      if (content === undefined) rmSync(file)
      else writeFileSync(file, content)
      await ask(upstream)
      await ask(upstream)
    }
    writeFileSync(file, 'sk-new-key')
    await ask(upstream)
    assert.deepEqual(keys(provider), [...Array(6).fill('Bearer sk-one'), 'Bearer sk-new-key'])
    assert.deepEqual(
      told.map(({ type, reason, usable }) => [type, reason, usable]),
      ['unreadable', 'invalid', 'invalid'].map((reason) => ['upstream.key_failed', reason, true]),
    )
    assert.doesNotMatch(JSON.stringify(told), /two lines/)
  })
})

/** A command that prints what the file holds, and counts its runs. */
function printer(folder: string): { command: string[]; file: string; script: string } {
  const script = join(folder, 'print.mjs')
  const file = join(folder, 'printed')
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs'
     appendFileSync(process.argv[2] + '.runs', 'x')
     console.error('sk-secret-on-stderr')
     process.stdout.write(readFileSync(process.argv[2], 'utf8'))`,
  )
  return { command: [process.execPath, script, file], file, script }
}

describe('key_command', () => {
  it('prints the key once for all requests of its ttl, and no shell reads its arguments', async (t) => {
    const { provider, folder } = await rig(t)
    const command = [process.execPath, '-e', 'console.log(process.argv[1])', '$(id);`id`&&id']
    const { upstream } = upstreamOf(t, { url: provider.url, kind: 'anthropic', key_command: { command } })
    await Promise.all([ask(upstream), ask(upstream, '{"stream":true}')])
    await ask(upstream)
    assert.deepEqual(
      provider.requests.map(({ headers }) => headers['x-api-key']),
      Array(3).fill(command[3]),
    )
    const { file, command: counted } = printer(folder)
    writeFileSync(file, 'sk-one')
    const other = upstreamOf(t, { url: provider.url, key_command: { command: counted } })
    await Promise.all([ask(other.upstream), ask(other.upstream)])
    assert.equal(readFileSync(`${file}.runs`, 'utf8'), 'x')
  })

  it('renews the key in time; when that fails, the last one serves until its ttl is over', async (t) => {
    const { folder } = await rig(t)
    const { command, file } = printer(folder)
    let now = 0
    const faults: unknown[] = []
    const made = new KeyCommand(
      'one',
      { command, ttl_seconds: 100, timeout_seconds: 60 },
      (...fault) => faults.push(fault),
      () => now,
    )
    const settled = async () => {
      const got = made.get()
      await made.settled
      return got
    }
    writeFileSync(file, 'sk-one')
    assert.equal(await made.get(), 'sk-one')
    writeFileSync(file, 'sk-two')
    now = 74_000
    assert.equal(await settled(), 'sk-one')
    assert.equal(made.get(), 'sk-one', 'three quarters of the ttl are not over')
    now = 76_000
    assert.equal(await settled(), 'sk-one')
    assert.equal(made.get(), 'sk-two')
    now += 80_000
    rmSync(file)
    assert.equal(await settled(), 'sk-two')
    assert.deepEqual(faults.splice(0), [['exit', true, { exit_code: 1 }]])
    assert.equal(await settled(), 'sk-two')
    assert.equal(faults.length, 0, 'a failed command rests')
    now += 21_000
    await assert.rejects(async () => made.get(), { code: 'GW_UPSTREAM_KEY', status: 503 })
    assert.deepEqual(faults.splice(0), [['exit', false, { exit_code: 1 }]])
    await assert.rejects(async () => made.get(), { code: 'GW_UPSTREAM_KEY', retryAfter: 2 })
    assert.equal(faults.length, 0)
    writeFileSync(file, 'sk-three')
    now += 2_001
    assert.equal(await made.get(), 'sk-three')
  })

  for (const [reason, code, more] of [
    ['not_found', '/no/such/program', {}],
    ['exit', 'process.stdout.write("sk-partial"); process["exitCode"] = 3', { exit_code: 3 }],
    ['invalid', 'console.log("two\\nlines")', {}],
    ['invalid', '', {}],
    ['invalid', 'process.stdout.write("x".repeat(70000))', {}],
    ['timeout', 'setInterval(() => {}, 1000)', {}],
  ] as const) {
    it(`that fails is told without its output: ${reason} of ${code.slice(0, 20)}`, async () => {
      const command = code.startsWith('/') ? [code] : [process.execPath, '-e', code]
      const faults: unknown[] = []
      const timeout_seconds = reason === 'timeout' ? 0.2 : 60
      const made = new KeyCommand('one', { command, ttl_seconds: 100, timeout_seconds }, (...fault) =>
        faults.push(fault),
      )
      await assert.rejects(async () => made.get(), { code: 'GW_UPSTREAM_KEY' })
      assert.deepEqual(faults, [[reason, false, more]])
    })
  }

  for (const form of [{}, { stream: true }]) {
    it(`without a key, requests get 503, an event tells it, and a second upstream is asked first: ${JSON.stringify(form)}`, async (t) => {
      const command = [process.execPath, '-e', 'console.error("sk-secret"); process["exitCode"] = 7']
      const second = await startProvider()
      t.after(() => second.close())
      const { gateway, next, provider } = await running(t, [{}], {
        upstream: { key: undefined, key_command: { command } },
        config: {
          upstreams: { second: { url: second.url, key: 'sk-second' } },
          routes: [
            { model: 'both', to: ['scripted', 'second'] },
            { model: '*', to: ['scripted'] },
          ],
        },
      })
      const reply = await post(gateway, asking('Hello', form))
      assert.equal(reply.status, 503)
      assert.ok(Number(reply.headers['retry-after']) >= 1)
      await assertError(reply, 'GW_UPSTREAM_KEY')
      const told = await next('upstream.key_failed')
      assert.deepEqual(
        [told.upstream, told.reason, told.exit_code, told.usable, told.severity],
        ['scripted', 'exit', 7, false, 'detection'],
      )
      assert.equal((await next('upstream.failed')).code, 'upstream_key_unavailable')
      second.reply(form.stream ? stream(chunks('second')) : chat('second'))
      const other = await post(gateway, { ...asking('Hello', form), model: 'both' })
      assert.equal(other.status, 200)
      assert.match(await other.text(), /second/)
      assert.equal(provider.requests.length, 0)
      assert.doesNotMatch(JSON.stringify(gateway.log), /sk-secret/)
    })
  }

  it('a client that leaves while the command runs ends its exchange, and no provider is asked', async (t) => {
    const { folder } = await rig(t)
    const began = join(folder, 'began')
    const code = 'fs.writeFileSync(process.argv[1], ""); setInterval(() => {}, 1000)'
    const { provider, gateway, next } = await running(t, [{}], {
      upstream: {
        key: undefined,
        key_command: { command: [process.execPath, '-e', code, began], timeout_seconds: 60 },
      },
    })
    const leave = new AbortController()
    const reply = post(gateway, asking(), { signal: leave.signal })
    reply.catch(() => {})
    await until(() => existsSync(began))
    leave.abort()
    await assert.rejects(reply)
    assert.equal((await next('stream.aborted')).reason, 'client_disconnected')
    assert.equal(provider.requests.length, 0)
  })
})
