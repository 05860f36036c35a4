import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getHeapSpaceStatistics } from 'node:v8'
import { type Backing, type Codec, type Entity, type Row, Table } from '../../../../core/services/store/engine/table.ts'
import { collect } from '../../../helpers/collect.ts'

const oldObjects = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size

interface Thing extends Entity {
  text: string
}

const codec: Codec<Thing> = { encode: ({ text }) => text, decode: (text, expires) => ({ text, expires }) }

function backing(): Backing {
  const rows = new Map<string, Row>()
  const save = (_: string, key: string, row: Row | undefined): void => {
    if (row === undefined) rows.delete(key)
    else rows.set(key, row)
  }
  return { load: (_, key) => rows.get(key), save }
}

it('forgets the deadlines of what was deleted or pushed out of memory, and keeps those of the rest', () => {
  const table = new Table('things', codec, backing(), false)
  const far = 30 * 86_400_000
  for (let n = 0; n < 20_000; n++) {
    table.put('deleted', { text: 'a', expires: far })
    table.delete('deleted')
    const key = `k${n % 50}`
    table.put(key, table.get(key) ?? { text: 'b', expires: far + (n % 50) })
    table.flush()
    table.committed(10)
  }
  assert.ok(table.watched < 2000, `${table.watched} deadlines`)
  const expired: string[] = []
  for (let key = table.expired(far + 50); key !== undefined; key = table.expired(far + 50)) {
    expired.push(key)
    table.delete(key)
  }
  assert.equal(expired.length, 10)
  assert.deepEqual([...table.keys()], [])
})

it('lets go of what was deleted when young objects are collected, after any time without work', () => {
  const table = new Table<Thing & { payload: number[] }>(
    'things',
    { encode: () => 'a', decode: () => assert.fail('nothing is loaded') },
    backing(),
    true,
  )
  let made = 0
  const work = (most: number) => {
    for (const end = made + most; made < end; made++) {
      const payload = Array.from({ length: 100 }, (_, i) => i)
      table.put(`k${made}`, { text: 'a', expires: null, payload })
      table.delete(`k${made - 32}`)
      if (made % 16 === 0) {
        table.flush()
        table.committed(10)
      }
      if (made % 500 === 0) collect({ type: 'minor' })
    }
  }
  work(2000)
  // Without work, the table of the map becomes an old object.
  collect()
  collect()
  const before = oldObjects()
  work(5000)
  const kept = oldObjects() - before
  assert.ok(kept < 2_000_000, `${kept} bytes, of 5,000 entities of about 900`)
})
