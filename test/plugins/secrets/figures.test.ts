/** Recall, precision and cost of the defaults. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildAnchors } from '../../../plugins/secrets/anchors.ts'
import plugin from '../../../plugins/secrets/index.ts'
import { KINDS } from '../../../plugins/secrets/kinds/index.ts'
import { findAll } from '../../../plugins/secrets/stream.ts'
import { chunk, harness } from '../../helpers/detector.ts'
import { assertLinear } from '../../helpers/thread-time.ts'
import { lineCases, secretCases } from './data/cases.ts'
import { type HarmlessCase, harmlessCases } from './data/harmless.ts'

const redacting = harness(plugin as never, { input: 'redact' })
const scanner = { anchors: buildAnchors(KINDS, true), minEntropy: 3 }

async function recall(count: number, seed: number): Promise<{ family: string; found: number; of: number }[]> {
  const rows = new Map<string, { family: string; found: number; of: number }>()
  for (const { family, text, value } of secretCases(count, seed)) {
    const row = rows.get(family) ?? { family, found: 0, of: 0 }
    rows.set(family, row)
    row.of++
    if (!(await redacting.input(text)).text.includes(value)) row.found++
  }
  return [...rows.values()]
}

async function precision(cases: readonly HarmlessCase[]): Promise<{ altered: string[]; of: number }> {
  const altered: string[] = []
  for (const { text } of cases) if ((await redacting.input(text)).text !== text) altered.push(text.slice(0, 120))
  return { altered, of: cases.length }
}

/** Best of five, milliseconds. */
const LONG = 'aB1-'.repeat(55)
const WORST: Readonly<Record<string, string>> = {
  labels: 'password: a ',
  'labels in prose': 'password is ',
  'labels that qualify': 'api key ',
  'labels without end': 'token=',
  'quoted labels': 'secret: "a',
  'values again': 'token=a1B2c3D4e5F6 a1B2c3D4e5F6 a1B2c3D4 ',
  'quotes in values': 'password=a1"b',
  'label words': 'password for a b c d e ',
  'CJK labels': '密码',
  prefixes: 'xoxb-',
  'long bodies': `sk-${LONG}`,
  'long values': `token=${LONG}`,
  'names of types': `{"password":"int8${'aB'.repeat(30)}-9"} `,
  'long passwords': `password=${'a-1'.repeat(70)}`,
  jwt: 'eyJhbGciOiJIUzI1NiJ9.',
  pem: '-----BEGIN PRIVATE KEY-----\nComment: ',
  'pem markers': '-----BEGIN ',
  'pem lines': '-----BEGIN PRIVATE KEY-----\n// MIIEvQIBADANBgkqhkiG9w0BAQEFAASC & ',
  urls: 'a://b:',
  'urls with users': 'x://a:b/c?@',
  telegram: '12345678:',
  headers: 'Authorization: ',
  elements: '<password>',
  'elements with attributes': '<password a="b" c="d" ',
  'labels with endings': 'token_prod_test_for_ci',
  'columns of a table': "(a, token, a) values ('a', ",
  'columns without end': 'token, ',
  'heads of tables': 'a,password\n',
  'rows of tables': 'a,password\nb,c\nb,a1B2c3D4e5\n',
  'heads of Markdown': '|a|password\n|-',
  'short passwords': 'x_pw = ',
  'returned labels': 'token(a) : string { ',
  arrows: 'secret <- ',
  'arguments of keys': 'x_key", "a',
  'typed keys': 'x_key string ',
  'templates in addresses': 'a://{b}:',
  'members of keys': '"d": "aB1-',
  dashes: '-',
  spaces: ' ',
  letters: 'a',
  wide: 'é',
}

test('recall of published formats, labelled values and structured credentials', async () => {
  const table = await recall(6, 41)
  for (const row of table) assert.ok(row.found / row.of >= 0.98, `${row.family}: ${row.found} of ${row.of}`)
})

test('signs of bare passwords in lines of files', async () => {
  const cases = lineCases(20, 41)
  const missed: string[] = []
  for (const { text, value } of cases) {
    const { text: whole } = await redacting.output([text])
    assert.equal((await redacting.output(chunk(text, 3))).text, whole)
    if (whole.includes(value)) missed.push(text)
  }
  assert.ok(missed.length / cases.length <= 0.02, missed.join('\n'))
})

test('harmless texts pass unchanged', async () => {
  const { altered, of } = await precision(harmlessCases(20, 43))
  assert.deepEqual(altered, [])
  assert.ok(of > 200)
})

test('no text costs more than linear time', () => assertLinear(WORST, 250, (text) => findAll(scanner, [], text, '')))
