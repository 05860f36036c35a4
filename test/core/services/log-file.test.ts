/** A log in a file: renamed by a tool, or on a disk without room. */
import assert from 'node:assert/strict'
import { readFileSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createLogger, type Logger } from '../../../core/services/logger.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const isLinux = process.platform === 'linux'

interface Line {
  readonly msg: string
  readonly n?: number
  readonly lost_bytes?: number
}

const linesOf = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

const count = (log: Logger, from: number, to: number): void => {
  for (let n = from; n < to; n++) log.info({ n, fill: 'x'.repeat(500) }, 'line')
}

describe('a log file', () => {
  for (const shared of [false, true]) {
    it(`that was renamed is opened again, and no line is lost or cut, shared: ${shared}`, async () => {
      const path = join(temporaryFolder(), 'gateway.log')
      const log = createLogger({ destination: path, shared })
      count(log, 0, 1000)
      renameSync(path, `${path}.1`)
      log.reopen()
      count(log, 1000, 1100)
      await log.drain()
      const [old, current] = [linesOf(`${path}.1`), linesOf(path)]
      assert.ok(current.length >= 100, String(current.length))
      assert.deepEqual(
        [...old, ...current].map(({ n }) => n),
        Array.from({ length: 1100 }, (_, n) => n),
      )
    })
  }

  it('that cannot be opened again is used as it is', async () => {
    const path = join(temporaryFolder(), 'gateway.log')
    const log = createLogger({ destination: path })
    renameSync(path, `${path}.1`)
    symlinkSync('/nowhere/gateway.log', path)
    assert.throws(() => log.reopen(), { code: 'ENOENT' })
    count(log, 0, 1)
    await log.drain()
    assert.deepEqual(
      linesOf(`${path}.1`).map(({ n }) => n),
      [0],
    )
  })

  it('on a full disk drops lines, and tells of them once there is room', { skip: !isLinux }, async () => {
    const path = join(temporaryFolder(), 'gateway.log')
    symlinkSync('/dev/full', path)
    const log = createLogger({ destination: path })
    count(log, 0, 300)
    await log.drain()
    count(log, 300, 301)
    log.flush()
    unlinkSync(path)
    log.reopen()
    count(log, 301, 302)
    await log.drain()
    await log.drain()
    const [line, loss, ...more] = linesOf(path)
    assert.deepEqual([line?.n, loss?.msg, more], [301, 'the log could not be written: lines are lost', []])
    assert.ok((loss?.lost_bytes ?? 0) > 300 * 500)
  })
})
