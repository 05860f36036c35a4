import { expiryTime, keyHash } from '../../engine/access/keyring.ts'
import type { Report, Sound } from '../../engine/config/report.ts'
import type { ConfigData } from '../../engine/config/types.ts'
import { globProblem } from '../../engine/util/glob.ts'
import { quotedWord } from '../../engine/util/outside.ts'

type Key = ConfigData['keys'][number]

export function keyRules(data: ConfigData, report: Report, sound: Sound): void {
  if (!Array.isArray(data.keys)) return
  const ids = new Map<string, number>()
  const hashes = new Map<string, number>()
  for (const [i, key] of data.keys.entries()) {
    if (!sound(['keys', i])) continue
    const twin = ids.get(key.id)
    if (twin !== undefined) report(['keys', i, 'id'], `"${key.id}" is already the id of keys[${twin}]: ids must differ`)
    else ids.set(key.id, i)
    secretRules(key, i, hashes, report)
    for (const [j, glob] of key.models.entries()) {
      const problem = globProblem(glob)
      if (problem !== undefined) report(['keys', i, 'models', j], problem)
    }
    const regions = Object.values(data.upstreams ?? {}).map((upstream) => upstream?.region)
    if (key.region !== undefined && !regions.includes(key.region))
      report(['keys', i, 'region'], `no upstream has the region ${quotedWord(key.region)}: this key could ask none`)
    if (key.expires !== undefined && Number.isNaN(expiryTime(key.expires))) {
      report(['keys', i, 'expires'], 'must be a date (2027-01-31) or a date and time with zone (2027-01-31T12:00:00Z)')
    }
  }
}

function secretRules(key: Key, i: number, hashes: Map<string, number>, report: Report): void {
  if (key.hash === undefined && key.key === undefined) {
    if (key.client_certificate === undefined)
      report(['keys', i], 'needs "hash" (governed-gateway keys create prints one) or "key"')
    return
  }
  if (key.hash !== undefined && key.key !== undefined) {
    report(['keys', i], 'must have "hash" or "key", not both')
    return
  }
  const digest = keyHash(key)
  const twin = hashes.get(digest)
  if (twin !== undefined) report(['keys', i], `is the same API key as keys[${twin}]: each needs its own`)
  else hashes.set(digest, i)
}
