import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A disk of 32 MB, a folder on it, and how to fill it up and empty it. */
export function smallDisk(t: TestContext) {
  const disk = mkdtempSync(join(tmpdir(), 'gg-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk], { stdio: 'pipe' })
  } catch (cause) {
    throw new Error('This test mounts a tmpfs and needs root; run the tests as root in a container.', { cause })
  }
  t.after(() => {
    execFileSync('umount', ['--lazy', disk])
    rmdirSync(disk)
  })
  const filler = join(disk, 'filler')
  return {
    path: join(disk, 'data'),
    /** All but so many bytes. */
    fill(left = 0) {
      for (const size of [1 << 20, 1 << 12, 1]) {
        const bytes = Buffer.alloc(size, 1)
        try {
          for (;;) appendFileSync(filler, bytes)
        } catch {
          // Smaller pieces until nothing fits.
        }
      }
      if (left > 0) truncateSync(filler, statSync(filler).size - left)
    },
    empty: () => rmSync(filler),
  }
}
