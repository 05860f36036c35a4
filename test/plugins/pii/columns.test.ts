/** Tables and lists: the head of a column names what is below it, in every row, whole and streamed in any pieces. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { testPlugin } from 'governed-gateway/testing'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { rounds } from '../../helpers/rounds.ts'

const drive = new Drive(pii, { action: 'redact' })

/** Asserts that these values and no others are found, in a request, a reply, and a reply sign by sign. */
function assertFound(text: string, values: readonly string[]): void {
  const { findings, output } = drive.next().input(text)
  assert.deepEqual(
    findings.map(({ start, end }) => text.slice(start, end)),
    values,
  )
  assert.equal(drive.next().reply(text).output, output)
  assert.equal(drive.next().stream([...text]).output, output)
}

/** A line so long that the words before it are too far away. */
const WORDS = 'These are words of a sentence, and of another one that goes on for a while.\n'

const TABLES: Record<string, readonly [text: string, values: readonly string[]]> = {
  'CSV with commas': [
    'id,name,kvk,at\n1,De Linde BV,70811811,2025-09-09\n2,"Bakker, Bouw",63706526,2025-01-22\n3,Smit,70811812,2\n',
    ['70811811', '63706526', '70811812'],
  ],
  'CSV in quotes': ['"id","ssn"\r\n"1","523394028"\r\n"2","523394029"\r\n', ['523394028', '523394029']],
  'CSV with semicolons': [
    'Nr;Name;Steuer-ID;Summe\n1;Anna;86095742719;703,50\n2;Bernd;47036892816;12,00',
    ['86095742719', '47036892816'],
  ],
  tabs: ['Name\tREGON\tStart\nA\t498311955\t2025\nB\t498311956\t2025\n', ['498311955', '498311956']],
  Markdown: [
    '| Name | RG | Status |\n|---|---|---|\n| K. Schneider | 040559584 | active |\n| L. Maier | **040559585** | active |',
    ['040559584', '040559585'],
  ],
  'Markdown without bars at its edges': [
    'Name | NISS | Status\n---|:---:|---\nK. Schneider | 15002442263 | active\nL. Maier | 15002442264 | active',
    ['15002442263', '15002442264'],
  ],
  'Markdown with returns': [
    '| Name | CPF | Status |\r\n|---|---|---|\r\n| K. Schneider | 397-729-749-08 | active |\r\n',
    ['397-729-749-08'],
  ],
  'a shell of PostgreSQL': [
    ' id |  name  |    ssn\n----+--------+-----------\n 54 | Andrés | 523394028\n  5 | B      | 523394029\n(2 rows)\n523394030\n',
    ['523394028', '523394029'],
  ],
  'a shell of MySQL': [
    '+----+-----------+\n| id | cpf_no    |\n+----+-----------+\n|  1 | 39772974908 |\n|  2 | 39772974909 |\n+----+',
    ['39772974908', '39772974909'],
  ],
  'the first column': ['passport no | name\n--- | ---\n123456789 | Ann\n987654321 | Bob\n', ['123456789', '987654321']],
  'one column': ['SSN\n523394028\n523394029\n\n523394030\n', ['523394028', '523394029', '523394030']],
  'HTML in one line': [
    '<table class="t"><thead><tr><th>Name</th><th scope="col">DL Number</th></tr></thead><tbody><tr><td>Tina</td><td>W518-7582-7793</td></tr><tr><td>Rosa</td><td class=n>W518-7582-7794</td></tr></table>',
    ['W518-7582-7793', 'W518-7582-7794'],
  ],
  'HTML without closing tags': [
    '<TABLE>\n<TR><TD>Name<TD>SSN\n<TR><TD>Ann<TD>523394028\n<TR><TD>Bob<TD>\n 523394029 \n</TABLE>\n523394030 <td>523394031</td>',
    ['523394028', '523394029'],
  ],
  'rows of SQL': [
    "INSERT INTO people (name, `ssn`, at) VALUES ('O''Neil', '523394028', now()),\n  (NULL, 523394029, 1);\nSELECT 523394030;",
    ['523394028', '523394029'],
  ],
  'rows of SQL in small letters': [
    `db.run("insert into public.people (id,ssn) values ('a, (b', 523394028)"); x(1, ${WORDS}523394030)`,
    ['523394028'],
  ],
  'a list': [
    'Participants and passport number:\n1) Ann Smith 123456789\n2) Bob Miller 987654321\n- Carl 555444333\n\nOrders 987654322\n',
    ['123456789', '987654321', '555444333'],
  ],
}

describe('heads of columns', () => {
  for (const [name, [text, values]] of Object.entries(TABLES))
    it(`name the values below them: ${name}`, () => assertFound(text, values))

  it('name the value of the last of many rows, which a stream reads long after the head', () => {
    const rows = Array.from({ length: 400 }, (_, i) => `${i},Ann Smith,${523394028 + i},of town ${i % 9}`)
    const values = rows.map((row) => row.split(',')[2]!)
    assertFound(`id,name,ssn,town\n${rows.join('\n')}\n`, values)
  })

  it('name them in texts that are read in steps', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `${i},Ann Smith,${523394028 + (i % 999)},of town ${i % 9}`)
    const text = `id,name,ssn,town\n${rows.join('\n')}\n`
    await testPlugin(pii, { request: text, variants: ['buffered'], expect: { detections: { us_ssn: 3000 } } })
  })

  it('give the same in whatever pieces a stream comes', () => {
    const texts = fc.constantFrom(...Object.values(TABLES).map(([text]) => text))
    fc.assert(
      fc.property(texts, fc.array(fc.nat(200), { maxLength: 8 }), (text, cuts) => {
        const ends = [...new Set([...cuts.map((cut) => cut % text.length), text.length])].sort((a, b) => a - b)
        const pieces = ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end)).filter((piece) => piece !== '')
        assert.equal(drive.next().stream(pieces).output, drive.next().reply(text).output)
      }),
      { numRuns: rounds(3000) },
    )
  })

  for (const text of [
    '| NISS | Name | Sold |\n|---|---|---|\n| - | screws and nails | 15002442263 |',
    '| the NISS has a column of its own | Sold |\n|---|---|\n| screws and nails | 15002442263 |',
    'run;value;error\n41294127;90545;0,377\n',
    'order number,tax\n41294127,19\n41294128,19\n',
    `Name,Tax ID and more\nAnn,-\n${WORDS}Ann,see sheet 41294127 in the folder\n`,
    `<table><tr><th>SSN</th><th>Sold</th></tr><tr><td>${WORDS}</td><td>523394028</td></tr></table>`,
    `<table><tr><th>SSN</th></tr></table>${WORDS}<table><tr><td>${WORDS}</td></tr><tr><td>523394028</td></tr></table>`,
    `<table><tr><th>SSN</th></tr><tr><td>${WORDS}the stock of screws is 523394028</td></tr></table>`,
    `insert into it (name, ssn) the values ('${WORDS.trim()}', 523394028)`,
    `INSERT INTO people (name, ssn) VALUES ('a', 'b') and (${WORDS.trim()}, 523394028)`,
    `INSERT INTO people (name, ssn) VALUES ('a', '${WORDS} of 523394028')`,
    `SSN\n\n${WORDS}The stock of screws and nails is\n523394028\n`,
    `name,ssn\n${WORDS}\nunits sold,year\n523394028,2024\n`,
  ])
    it(`name nothing else: ${JSON.stringify(text)}`, () => assertFound(text, []))
})
