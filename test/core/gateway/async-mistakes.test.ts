/** What a plugin throws where nobody awaits it: the prompt in its message comes out nowhere. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { startCli } from '../../helpers/cli.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const CANARY = 'Zwetschgenmus 4111111111111111 jane@example.org'

/** A gateway whose plugin does `mistake` with an error that holds the prompt, once a request has come. */
async function start(mistake: string) {
  const folder = temporaryFolder()
  const source = `export default { name: 'careless', governs: 'usage', schema: { type: 'object' }, create: () => ({ apply(hooks) {
    hooks.block.tap('careless', (x) => {
      const text = x.request.views.find((view) => view.channel === 'content').text
      const make = () => {
        const error = new TypeError(text, { cause: new Error(text) })
        return Object.assign(error, { code: text, detail: { text }, [text]: text, name: text })
      }
      ${mistake}
    })
  } }) }`
  writeFileSync(join(folder, 'careless.mjs'), source)
  const config = join(folder, 'g.yaml')
  const lines = [
    'listen: { port: 0 }',
    'store: file:./data',
    'upstreams: { demo: { kind: demo } }',
    'keys: [{ id: app, key: sk-app-0123456789abcdef }]',
    'plugins: [{ use: ./careless.mjs }, { use: audit-file, options: { path: ./events.jsonl } }]',
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const gateway = await startCli(['--config', config])
  const ask = async () => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-app-0123456789abcdef', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: CANARY }] }),
    })
    await reply.text()
    return reply.status
  }
  /** Nothing of what the process wrote holds the prompt. */
  const searched = () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'))
    for (const text of [JSON.stringify(gateway.lines), ...texts])
      for (const word of CANARY.split(' ')) assert.ok(!text.includes(word), word)
  }
  return { gateway, ask, searched }
}

it('a rejection that nobody awaits is told by its class, and the gateway goes on', async () => {
  const mistakes = 'Promise.reject(make()); Promise.reject(text); Promise.reject({ message: text, [text]: 1 })'
  const { gateway, ask, searched } = await start(mistakes)
  assert.equal(await ask(), 200)
  assert.equal(await ask(), 200)
  gateway.kill('SIGTERM')
  assert.equal((await gateway.ended).code, 0)
  const told = gateway.lines.filter(({ msg }) => msg === 'unhandled rejection')
  assert.equal(told.length, 6)
  assert.match(JSON.stringify(told), /TypeError/)
  searched()
})

for (const [name, what] of [
  ['an error', 'make()'],
  ['a text', 'text'],
]) {
  it(`${name} thrown from a timer ends the process with exit code 1, and is told by its class`, async () => {
    const { gateway, ask, searched } = await start(`setTimeout(() => { throw ${what} }, 0)`)
    await ask().catch(() => undefined)
    assert.equal((await gateway.ended).code, 1)
    assert.equal(gateway.lines.filter(({ msg }) => String(msg).startsWith('uncaught exception')).length, 1)
    searched()
  })
}
