/** A mistake in an operator's own plugin is reported with its file, line and column. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { loadPlugin } from '../../../../core/engine/host/loader.ts'
import { runHere } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()

async function failure(name: string, source: string): Promise<string> {
  writeFileSync(join(folder, name), source)
  return loadPlugin(`./${name}`, folder).then(
    () => assert.fail(`${name} was loaded`),
    (error: Error) => error.message.replaceAll(folder, ''),
  )
}

describe('a plugin that cannot be loaded', () => {
  const cases: [name: string, source: string, reported: string][] = [
    ['a.mjs', 'export default {\n  create( { return {} },\n}\n', "SyntaxError: Unexpected token '{' (/a.mjs:2:20)"],
    ['a.js', 'export default {\n\tcreate( { return {} },\n}\n', "SyntaxError: Unexpected token '{' (/a.js:2:19)"],
    ['a.cjs', 'module.exports = {\n  create( { return {} },\n}\n', "SyntaxError: Unexpected token '{' (/a.cjs:2:20)"],
    ['a.ts', 'const a: string = 1 +\n  ;\n', 'SyntaxError: Expression expected (/a.ts:2:3)'],
    [
      'enum.ts',
      'export default {}\nenum A { B }\n',
      'SyntaxError: TypeScript enum is not supported in strip-only mode (/enum.ts:2:1)',
    ],
    [
      'type.ts',
      "import { Exchange } from 'governed-gateway'\nexport default {}\n",
      "SyntaxError: The requested module 'governed-gateway' does not provide an export named 'Exchange' (/type.ts:1:10). If Exchange is a type, write: import { type Exchange }",
    ],
    [
      'throws.mjs',
      'export default {}\nnull.x\n',
      "TypeError: Cannot read properties of null (reading 'x') (/throws.mjs:2:6)",
    ],
    ['meant.mjs', "throw new Error('needs Java')\n", 'Error: needs Java'],
    ['thrown.mjs', "throw 'a text'\n", 'a text'],
  ]
  for (const [name, source, reported] of cases) {
    it(`${name}: ${reported}`, async () => {
      assert.equal(await failure(name, source), `"./${name}": /${name} failed to load: ${reported}`)
    })
  }

  it('is reported with the file that it imports, if that is at fault', async () => {
    writeFileSync(join(folder, 'part.mjs'), 'export const x = 1\nconst y = ]\n')
    const message = await failure('whole.mjs', "import { x } from './part.mjs'\nexport default { x }\n")
    assert.match(message, /\/whole\.mjs failed to load: SyntaxError: Unexpected token ']' \(\/part\.mjs:2:11\)$/)
  })
})

it('check names the line of a mistake in `create` and in `apply`, and of none where the plugin refuses', async () => {
  const spec = (name: string, create: string) =>
    writeFileSync(
      join(folder, `${name}.mjs`),
      `export default {\n  name: '${name}', schema: { type: 'object' },\n  create() { ${create} },\n}\n`,
    )
  spec('creates', 'return this.options.x.y')
  spec('refuses', "throw new Error('options.mood: is bad today')")
  spec('applies', "return { apply(hooks) { hooks.blok.tap('x', () => {}) } }")
  const check = async (...names: string[]) => {
    const file = join(folder, 'gateway.yaml')
    const plugins = names.map((name) => `  - use: ./${name}.mjs\n`)
    writeFileSync(file, `upstreams: { demo: { kind: demo } }\nstore: memory\nplugins:\n${plugins.join('')}`)
    const { stderr } = await runHere('check', file)
    return stderr.trim().replaceAll(folder, '').split('\n').slice(1)
  }
  assert.deepEqual(await check('creates', 'refuses'), [
    "/gateway.yaml:4: plugins[0]: 'creates' could not be created: Cannot read properties of undefined (reading 'x') (/creates.mjs:3:34)",
    '/gateway.yaml:5: plugins[1].options.mood: is bad today',
  ])
  const [line] = await check('applies')
  assert.match(String(line), /^\/gateway\.yaml:4: plugins\[0\]: .* \(\/applies\.mjs:3:\d+\)$/)
})
