import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { categoryOfAddress } from '../../../../core/engine/egress/address.ts'
import { checkUrl } from '../../../../core/engine/egress/guard.ts'

interface Vector {
  readonly url: string
  readonly verdict: 'allow' | 'refuse'
  readonly category: string
  readonly why: string
  readonly dns?: readonly string[]
  readonly verdict_if_private_allowed?: 'allow'
}

const file = new URL('../../../fixtures/ssrf/vectors.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: readonly Vector[] }

const resolver = (dns: readonly string[] | undefined) => async () =>
  (dns ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const RANGES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']

it('judges every vector as its category says', async () => {
  assert.ok(vectors.length >= 165)
  for (const { url, verdict, category, why, dns } of vectors) {
    const found = await checkUrl(url, [], resolver(dns))
    assert.equal(found ?? 'public', category, `${url}: ${why}`)
    assert.equal(found === undefined, verdict === 'allow', url)
  }
})

it('opens private addresses and nothing else for ranges', async () => {
  for (const { url, verdict, category, dns, verdict_if_private_allowed: opened } of vectors) {
    const found = await checkUrl(url, RANGES, resolver(dns))
    const name = category === 'hostname' ? found !== undefined : found === undefined
    assert.equal(name, category === 'hostname' || (opened ?? verdict) === 'allow', url)
  }
})

it('takes plain spellings of addresses only', () => {
  for (const text of ['', '127.1', '0177.0.0.1', '2130706433', '[::1]', 'fe80::1%eth0', '1.2.3', 'example.com']) {
    assert.equal(categoryOfAddress(text), 'malformed', text)
  }
})
