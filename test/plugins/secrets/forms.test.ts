/** Secrets in the forms of other languages, files, protocols and tools; each whole and at every split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import plugin from '../../../plugins/secrets/index.ts'
import { harness, splits } from '../../helpers/detector.ts'

const h = harness(plugin as never, { input: 'redact' })

const PASSWORD = 'Xk9mQ2vLp7zR'

async function becomes(text: string, want: string): Promise<void> {
  assert.equal((await h.input(text)).text, want)
  for (const pieces of [[text], ...splits(text)])
    assert.equal((await h.output(pieces)).text, want, JSON.stringify(pieces))
}

const found = (name: string, ...templates: string[]) =>
  test(`is found: ${name}`, async () => {
    for (const template of templates)
      await becomes(template.replace('{p}', PASSWORD), template.replace('{p}', '[PASSWORD]'))
  })

found(
  'a string with the prefix of its language',
  "CREATE LOGIN ann WITH PASSWORD = N'{p}'",
  "EXEC sp_addlinkedsrvlogin @rmtpassword=N'{p}'",
  "ALTER ROLE ann PASSWORD E'{p}'",
  'password = rb"{p}"',
  'password = u8"{p}"',
  'password = $@"{p}"',
)
