import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { CallDriver } from '../../../../core/services/store/calls.ts'
import type { Call } from '../../../../core/services/store/protocol.ts'

/** An owner that answers when it is told to. */
class Sent extends CallDriver {
  readonly kind = 'embedded'
  readonly reach = 'machine'
  readonly messages: (readonly Call[])[] = []

  constructor() {
    super({})
  }

  protected send(calls: readonly Call[]): void {
    this.messages.push(calls)
  }

  get sizes(): number[] {
    return this.messages.map((calls) => calls.length)
  }

  async close(): Promise<void> {
    this.receive([this.messages.flat().map(([number]) => [number, 1, null] as const), []])
  }
}

async function callsEveryTurn(driver: Sent, count: number, betweenTurns = () => {}): Promise<void> {
  const calls: Promise<unknown>[] = []
  for (let i = 0; i < count; i++) {
    calls.push(driver.call('get', { key: String(i) }))
    await turn()
    betweenTurns()
  }
  for (let i = 0; i < 3; i++) await turn()
  const keys = driver.messages.flat().map(([, , args]) => (args as { key: string }).key)
  assert.deepEqual(
    keys,
    calls.map((_, i) => String(i)),
  )
  await driver.close()
  await Promise.all(calls)
}

describe('calls to the store', () => {
  it('go at once when the next turn brings no others', async (t) => {
    t.mock.method(performance, 'now', () => 0)
    const driver = new Sent()
    for (let i = 1; i <= 3; i++) {
      void driver.call('get', { key: 'a' })
      void driver.call('get', { key: 'b' })
      await turn()
      await turn()
      await turn()
      assert.deepEqual(driver.sizes, Array(i).fill(2))
    }
    await driver.close()
  })

  it('gather as long as every turn brings more, up to a number', async (t) => {
    t.mock.method(performance, 'now', () => 0)
    const driver = new Sent()
    await callsEveryTurn(driver, 300)
    assert.deepEqual(driver.sizes, [256, 44])
  })

  it('gather no longer than four milliseconds', async (t) => {
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const driver = new Sent()
    await callsEveryTurn(driver, 100, () => (now += 1))
    assert.ok(Math.max(...driver.sizes) <= 6, String(driver.sizes))
    assert.ok(driver.messages.length < 50, String(driver.sizes))
  })
})
