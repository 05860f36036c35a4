import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../../../core/bin.js', import.meta.url))
const old = (platform: string): string =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}});` +
  `Object.defineProperty(process,'platform',{value:'${platform}'});Object.defineProperty(process,'arch',{value:'x64'})`

/** Runs the command line with a Node that says it is old. */
function runOld(event: string | undefined, platform = 'linux'): { code: number | null; told: string } {
  const { npm_lifecycle_event: _event, ...env } = process.env
  const through = event === undefined ? env : { ...env, npm_lifecycle_event: event }
  const { status, stderr } = spawnSync(process.execPath, ['--import', old(platform), BIN, 'check'], {
    env: through,
    encoding: 'utf8',
  })
  return { code: status, told: stderr }
}

it('tells an old Node what to do, and npm that its own Node is missing', () => {
  const plain = runOld(undefined)
  assert.equal(plain.code, 1)
  assert.match(
    plain.told,
    /needs Node\.js 22\.19 or later; this is 20\.20\.2\.\nInstall a newer one .* run it through npm/,
  )
  const through = runOld('start')
  assert.equal(through.code, 1)
  assert.match(through.told, /The one that npm brings is not there: run npm ci until it ends without an error\.\n$/)
  const elsewhere = runOld('start', 'darwin')
  assert.match(elsewhere.told, /20\.20\.2\.\nInstall a newer one from https:\/\/nodejs\.org\.\n$/)
})
