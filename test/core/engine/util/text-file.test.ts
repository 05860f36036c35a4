import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { readKeyFile } from '../../../../core/engine/upstreams/credential.ts'
import { readTextFile } from '../../../../core/engine/util/text-file.ts'
import { readTls } from '../../../../core/engine/util/tls-files.ts'
import { readLabels } from '../../../../plugins/classification/label-file.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()

const file = join(folder, 'odd.yaml')
const ODD: Readonly<Record<string, () => void>> = {
  'a pipe': () => execFileSync('mkfifo', [file]),
  'an endless device': () => symlinkSync('/dev/zero', file),
  'a folder': () => symlinkSync(folder, file),
  'a link to itself': () => symlinkSync(file, file),
  'a huge file': () => {
    writeFileSync(file, 'label: RESTRICTED\n')
    truncateSync(file, 2 ** 40)
  },
}

it('reads text, also behind a link', () => {
  writeFileSync(join(folder, 'real'), 'grüße')
  symlinkSync('real', file)
  assert.equal(readTextFile(file), 'grüße')
  rmSync(file)
})

for (const [what, make] of Object.entries(ODD)) {
  it(`refuses at once what may not end, as label, key and certificate: ${what}`, () => {
    make()
    try {
      assert.throws(() => readTextFile(file), { code: /^(ENOTSUP|EISDIR|ELOOP|EFBIG)$/ })
      const said = /odd\.yaml cannot be read: /
      assert.throws(() => readKeyFile(file), said)
      assert.throws(() => readTls({ ca_file: file }), said)
      assert.throws(() => readLabels(['odd'], folder), said)
    } finally {
      rmSync(file)
    }
  })
}
