import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
process.once('exit', () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

/** A folder that is gone after the tests: hooks run in their order, and a gateway that is closed later still writes to it. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'gateway-test-'))
  folders.push(path)
  return path
}
