import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

/** Such a folder, and what writes a file in it. */
export function filesFor() {
  const folder = temporaryFolder()
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  return { folder, file }
}
