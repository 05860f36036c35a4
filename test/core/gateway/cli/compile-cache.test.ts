import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runCli, startCli } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()

const config = join(folder, 'gateway.yaml')
writeFileSync(config, 'listen: { port: 0 }\nstore: memory\nupstreams: { demo: { kind: demo } }\n')

/** Files of compiled code: one for each module. */
const files = (cache: string): string[] =>
  readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(cache, name)).isFile())

function compiled(cache: string): number {
  const within = join(cache, 'governed-gateway')
  return existsSync(within) ? files(within).length : 0
}

describe('compiled code', () => {
  it('is kept for the next start in XDG_CACHE_HOME, also by a gateway that is killed', async () => {
    const cache = join(folder, 'cache')
    const gateway = await startCli(['--config', config], { XDG_CACHE_HOME: cache })
    // The answer comes after what the gateway does once it is ready.
    await (await fetch(`${gateway.url}/health/live`)).text()
    gateway.kill('SIGKILL')
    await gateway.ended
    assert.ok(compiled(cache) > 50, `${compiled(cache)} modules`)
  })

  it('is taken whole by the next start, also that of threads and plugins', async () => {
    const cache = join(folder, 'taken')
    const file = join(folder, 'plugins.yaml')
    writeFileSync(file, `${readFileSync(config, 'utf8')}plugins: [{ use: policy }, { use: budget }]\n`)
    const start = async () => {
      const env = { XDG_CACHE_HOME: cache, SERVICE_STORE: `file:${join(folder, 'data')}` }
      const gateway = await startCli(['--config', file], env)
      gateway.kill('SIGTERM')
      await gateway.ended
      // What V8 does not take is written anew.
      return new Map(files(cache).map((name) => [name, statSync(join(cache, name)).mtimeMs]))
    }
    const first = await start()
    assert.ok(first.size > 50, `${first.size} modules`)
    assert.deepEqual(await start(), first)
  })

  it('is of no need: a folder that cannot be made changes nothing', async () => {
    const cache = join(folder, 'a-file')
    writeFileSync(cache, '')
    const { code, stdout, stderr } = await runCli(['check', config], { XDG_CACHE_HOME: cache })
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /: ok\n/)
  })

  it('is in no folder that another user may write to', async () => {
    const { code } = await runCli(['check', config], { XDG_CACHE_HOME: 'relative', HOME: join(folder, 'home') })
    assert.equal(code, 0)
    assert.ok(compiled(join(folder, 'home', '.cache')) > 50)
    assert.equal(existsSync('relative'), false)
  })
})
