import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { runCli, startCli } from '../../../helpers/cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'gw-compiled-'))
after(() => rmSync(folder, { recursive: true }))

const config = join(folder, 'gateway.yaml')
writeFileSync(config, 'listen: { port: 0 }\nstore: memory\nupstreams: { demo: { kind: demo } }\n')

/** Files of compiled code: one for each module. */
function compiled(cache: string): number {
  const within = join(cache, 'governed-gateway')
  return existsSync(within) ? readdirSync(within, { recursive: true }).length : 0
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
