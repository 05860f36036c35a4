import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { categoryOfAddress } from '../../../../core/engine/egress/address.ts'
import { EgressGuard } from '../../../../core/engine/egress/guard.ts'
import { rounds } from '../../../helpers/rounds.ts'

const guard = new EgressGuard({ ownAddresses: () => [] })
const judged = (host: string) => guard.check(`http://${host}/`, { resolve: false })

const byte = fc.oneof(
  fc.integer({ min: 0, max: 255 }),
  fc.constantFrom(0, 1, 10, 100, 127, 168, 169, 192, 224, 254, 255),
)
const ipv4 = fc.tuple(byte, byte, byte, byte)
const part = (value: number, as: number): string =>
  as === 0 ? String(value) : as === 1 ? `0x${value.toString(16)}` : `0${value.toString(8)}`

/** One spelling of an address: in one to four parts, each in decimal, hex or octal. */
const spelling = fc.record({
  parts: fc.integer({ min: 1, max: 4 }),
  as: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 4, maxLength: 4 }),
  dot: fc.boolean(),
})

function spell(
  [a, b, c, d]: readonly number[],
  { parts, as, dot }: { parts: number; as: number[]; dot: boolean },
): string {
  const whole = [a, b, c, d] as number[]
  const head = whole.slice(0, parts - 1)
  const tail = whole.slice(parts - 1).reduce((sum, one) => sum * 256 + one, 0)
  return [...head, tail].map((value, i) => part(value, as[i] as number)).join('.') + (dot ? '.' : '')
}

describe('egress: any spelling', () => {
  it('of an IPv4 address is judged as its plain one', async () => {
    await fc.assert(
      fc.asyncProperty(ipv4, spelling, async (address, how) => {
        const plain = categoryOfAddress(address.join('.'))
        assert.equal((await judged(spell(address, how))) ?? 'public', plain)
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('of a mapped address is judged as the address inside, and every other embedding is refused', async () => {
    await fc.assert(
      fc.asyncProperty(ipv4, async (address) => {
        const plain = categoryOfAddress(address.join('.'))
        const [a, b, c, d] = address
        const high = ((a << 8) | b).toString(16)
        const low = ((c << 8) | d).toString(16)
        assert.equal((await judged(`[::ffff:${address.join('.')}]`)) ?? 'public', plain)
        assert.equal((await judged(`[0:0:0:0:0:FFFF:${high}:${low}]`)) ?? 'public', plain)
        for (const host of [`::${high}:${low}`, `::ffff:0:${high}:${low}`, `64:ff9b::${high}:${low}`]) {
          assert.notEqual(await judged(`[${host}]`), undefined, host)
        }
        for (const host of [`64:ff9b:1::${high}:${low}`, `2002:${high}:${low}::1`, `2001:0:1::${high}:${low}`]) {
          assert.equal(await judged(`[${host}]`), 'embedded_v4', host)
        }
      }),
      { numRuns: rounds(500) },
    )
  })

  it('of an IPv6 address outside 2000::/3 is refused', async () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    await fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 8, maxLength: 8 }), async (groups) => {
        const first = groups[0] as number
        const mapped = groups.slice(0, 5).every((one) => one === 0) && groups[5] === 0xffff
        const found = await judged(`[${groups.map((one) => one.toString(16)).join(':')}]`)
        if (found === undefined) assert.ok(mapped || (first >= 0x2000 && first <= 0x3fff))
      }),
      { numRuns: rounds(1000) },
    )
  })

  it('of anything at all gives an answer and no exception', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        await guard.check(text, { resolve: false })
        await guard.check(`http://${text}`, { resolve: false })
        await guard.check(`https://${text}:443/path`, { resolve: false })
      }),
      { numRuns: rounds(1000) },
    )
  })
})
