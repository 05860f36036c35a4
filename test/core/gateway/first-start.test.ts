import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Keyring } from '../../../core/engine/access/keyring.ts'
import { ConfigError, parseConfig } from '../../../core/gateway/config/load.ts'
import { firstStart, subkey } from '../../../core/gateway/identity.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const root = temporaryFolder()

const config = (more = '', env = {}) =>
  parseConfig(`upstreams: { demo: { kind: demo } }\n${more}`, join(mkdtempSync(join(root, 'c-')), 'g.yaml'), env)
const folderOf = ({ store }: { store: string }) => store.slice('file:'.length)

describe('first start', () => {
  it('makes a user key and an admin key once, and keeps only their hashes, for the owner only', () => {
    const given = config()
    const first = firstStart(given)
    assert.deepEqual(
      first.createdKeys.map(({ id, admin }) => [id, admin]),
      [
        ['default', false],
        ['admin', true],
      ],
    )
    const ring = new Keyring(first.keys)
    for (const { id, key, admin } of first.createdKeys) {
      const principal = ring.authenticate({ authorization: `Bearer ${key}` })
      assert.deepEqual([principal.keyId, principal.admin, principal.models], [id, admin, ['*']])
    }
    const folder = folderOf(given)
    assert.deepEqual(readdirSync(folder).toSorted(), ['keys.json', 'secret'])
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    const stored = readFileSync(join(folder, 'keys.json'), 'utf8')
    for (const { key } of first.createdKeys) assert.ok(!stored.includes(key))

    const second = firstStart(given)
    assert.deepEqual(second.createdKeys, [])
    assert.deepEqual(second.keys, first.keys)
    assert.deepEqual(second.secret, first.secret)
    assert.equal(second.secret.length, 32)
  })

  it('leaves configured keys and secret alone', () => {
    const given = config('keys: [{ id: a, key: "12345678" }]', { SERVICE_SECRET: 'x'.repeat(32) })
    const { keys, secret, createdKeys } = firstStart(given)
    assert.equal(keys, given.keys)
    assert.deepEqual([secret.toString(), createdKeys], ['x'.repeat(32), []])
    assert.throws(() => statSync(folderOf(given)), /ENOENT/)
  })

  it('keeps nothing with the memory store', () => {
    const given = config('store: memory')
    const [one, two] = [firstStart(given), firstStart(given)]
    assert.equal(one.createdKeys.length, 2)
    assert.notDeepEqual(one.secret, two.secret)
  })

  it('closes files that were open to others', () => {
    const given = config()
    firstStart(given)
    const file = join(folderOf(given), 'secret')
    chmodSync(file, 0o644)
    firstStart(given)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })

  it('names a damaged file and what to do', () => {
    const given = config()
    firstStart(given)
    const damage = (name: string, text: string): string => {
      writeFileSync(join(folderOf(given), name), text)
      try {
        firstStart(given)
      } catch (error) {
        assert.ok(error instanceof ConfigError)
        return error.message
      }
      assert.fail('accepted')
    }
    assert.match(damage('keys.json', '{"keys":['), /keys\.json: is not JSON\. Delete it to make new keys/)
    assert.match(damage('keys.json', '{"keys":[{"id":"a","hash":"x"}]}'), /keys\[0\]\.hash has the wrong form/)
    assert.match(damage('keys.json', '{"keys":[]}'), /keys must not be empty/)
    rmSync(join(folderOf(given), 'keys.json'))
    assert.match(damage('secret', ''), /secret: does not hold 32 bytes/)
  })

  it('derives a different key for each purpose, always the same one', () => {
    const secret = Buffer.alloc(32, 7)
    assert.equal(subkey(secret, 'sessions').length, 32)
    assert.deepEqual(subkey(secret, 'sessions'), subkey(secret, 'sessions'))
    assert.notDeepEqual(subkey(secret, 'sessions'), subkey(secret, 'cursors'))
    assert.notDeepEqual(subkey(secret, 'sessions'), subkey(Buffer.alloc(32, 8), 'sessions'))
  })
})
