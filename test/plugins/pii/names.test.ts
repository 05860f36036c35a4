import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { People } from '../../../plugins/pii/names/people.ts'
import { Drive } from '../../eval/drive.ts'
import { FAST } from '../../helpers/rounds.ts'

const all = new Drive(pii, { names: 'all' })
const personal = new Drive(pii, { names: 'personal' })

const TEXTS: readonly string[] = [
  'Hi Anna, my name is Ravi Deshmukh and I work for Northwind Traders in Rotterdam. Please call Mr. Ferguson back.',
  'Dear Ms Okafor,\n\nThank you for meeting us in Lisbon.\n\nBest regards,\nTomás Ferreira\nSales, Lumen GmbH',
  '{"customer":{"first_name":"Aiko","last_name":"Tanaka"},"city":"Osaka","company":"Sony"}',
  'Attendees: Maria Lopez, Wei Zhang and Tom Baker\nPatient: John Q. Public, DOB 1980-02-03',
  'Sehr geehrter Herr Dr. Brückner, ich wohne in München und arbeite bei der Siemens AG.',
  "Women's Health and McDonald's, l'Oréal, Jean-Luc O'Neill-Brandt, J. R. R. Tolkien, AT&T and Johnson & Johnson",
  `${'Heading In Capitals '.repeat(20)}and then Maria Lopez came. ${'X'.repeat(300)} Tom Baker`,
]

describe('names', () => {
  it('finds persons, places and organisations', () => {
    const { findings } = all.reply(TEXTS[0]!)
    assert.deepEqual(
      [...findings]
        .sort((a, b) => a.start - b.start)
        .map(({ type, start, end }) => `${type} ${TEXTS[0]!.slice(start, end)}`),
      [
        'person_name Anna',
        'person_name Ravi Deshmukh',
        'organisation Northwind Traders',
        'place Rotterdam',
        'person_name Mr. Ferguson',
      ],
    )
  })

  it('finds in a stream, cut at every character, what it finds in the whole text', () => {
    for (const drive of [all, personal])
      for (const text of TEXTS) {
        assert.equal(drive.stream([...text]).output, drive.reply(text).output)
        for (let cut = 1; cut < Math.min(text.length, 130); cut += FAST ? 29 : 3)
          assert.equal(drive.stream([text.slice(0, cut), text.slice(cut)]).output, drive.reply(text).output)
      }
  })

  it('holds the last word of a name for one word', () => {
    const text = 'We met Maria Lopez yesterday in the old town'
    const { released } = all.stream(['We met Maria Lopez', ' yesterday', ' in', ' the old town'])
    assert.equal(released[0], 'We met '.length)
    assert.ok(released[2]! >= text.indexOf(' yesterday'))
  })

  it('leaves a question about a public figure whole where only private names count', () => {
    for (const text of [
      'Who was Angela Merkel? When did Barack Obama visit Berlin?',
      'Albert Einstein was born in Ulm and worked in Bern.',
      'Compare the novels of Jane Austen and Charles Dickens.',
    ]) {
      assert.equal(personal.input(text).output, text)
      assert.notEqual(all.input(text).output, text)
    }
  })

  it('knows each place where a private name stands', () => {
    for (const text of [
      'Attendees: Maria Lopez, Peter Novak and Ewa Kowalska.',
      'Customer:\n  "Maria Lopez"',
      '{"patient_name": "Maria Lopez"}',
      'See you tomorrow.\n\nBest regards,\n- Maria Lopez',
      'It was great. Thanks, Maria Lopez',
      'Then my brother, Peter Novak, arrived.',
      'Hi Maria, any news?',
      'We saw Mrs Lopez there.',
      'So, I’m Maria Lopez from sales',
    ]) {
      const names = text.match(/(?:Maria|Peter|Ewa|Mrs)(?: (?:Lopez|Novak|Kowalska))?/g)!
      const { output } = personal.input(text)
      for (const name of names) assert.ok(!output.includes(name.split(' ').at(-1)!), `${name} in ${output}`)
    }
  })

  it('counts a name as private beside another value of a request', () => {
    const text = 'Joseph Miller (jo@example.com) called. Albert Einstein did not.'
    assert.equal(personal.input(text).output, '[PERSON_NAME] ([EMAIL]) called. Albert Einstein did not.')
  })

  it('gives all forms of a name one token, and restores the fullest', () => {
    const drive = new Drive(pii, { names: 'personal', action: 'tokenize' })
    const sent = drive.input('My name is Ann Smith. Please write to Ms Smith.\n\nRegards,\nAnn').output
    const tokens = [...new Set(sent.match(/PERSON_NAME_\w{10}/g))]
    assert.equal(tokens.length, 1)
    assert.equal(sent, `My name is ${tokens[0]}. Please write to Ms ${tokens[0]}.\n\nRegards,\n${tokens[0]}`)
    assert.equal(drive.stream([...`Dear ${tokens[0]}, hello`]).output, 'Dear Ann Smith, hello')
  })

  it('keeps two persons apart, and the forms of a name that may be either', () => {
    const people = new People()
    const ann = people.of('Ann Smith')
    const bob = people.of('Bob Smith')
    assert.notEqual(ann, bob)
    assert.equal(people.of('A. Smith'), ann)
    assert.equal(people.of('Bob'), bob)
    assert.ok(![ann, bob].includes(people.of('Smith')))
    const jones = people.of('Jones')
    assert.equal(people.of('Eve Jones'), jones)
    assert.deepEqual([jones.first, jones.fullest], ['Jones', 'Eve Jones'])
  })

  it('finds no name in the last word of a message and the first of the next', () => {
    const said = [
      { role: 'user', text: 'Please ask Maria' },
      { role: 'user', text: 'Lopez Street is closed' },
    ]
    assert.equal(all.messages(said).overBorders, false)
  })

  it('takes steps, products, types, departments and names of fields for nobody', () => {
    for (const text of [
      'steps:\n  - name: Checkout\n  - name: Install Dependencies\n    run: npm ci',
      '{"info":{"name":"My Collection"},"item":[{"name":"Get Users"}]}',
      '{"name":"Accept","value":"text/html"}',
      'type User {\n  name: String!\n  owner: Owner\n}',
      'case class Customer(name: String, id: Long)',
      'name: Vec<String>, customer: Option<User>, name: DataTypes.STRING',
      '{"username":"Benutzername","first_name":"Vorname"}',
      'Name: N/A',
      '| Name | Price |\n|---|---|\n| Widget | 3 |',
      'Owner: Platform Team',
      'Thanks,\nFinance Team',
    ])
      assert.equal(personal.input(text).output, text)
    for (const text of [
      '- name: Anna Schmidt\n  role: admin',
      '{"name":"Peter"}',
      '<name>Anna Schmidt</name>',
      'Name: Ravi Deshmukh\nTeam: Marketing',
      'last_name: Field',
    ])
      assert.match(personal.input(text).output, /\[PERSON_NAME\]/, text)
  })

  it('leaves programs and headings alone', () => {
    for (const text of [
      'import { Button } from "react"; const value = Math.max(1, Number.parseInt(text))',
      'The Quick Brown Fox Jumps. Use Docker with Kubernetes and React on Monday.',
      '"integrity": "sha512-MJt5BRRSScPDwG2hLelYhAAKh9imjHK5+NE/tvnRLbIqNw0JexZy9o/nUAWq9MlV7cM8Ga8u8Yr7GldLOov27xiCnqRZf0tCA==",',
      'h1:CaJyYhxBE0M/HJX/YvSaSmQlsI9Dhy/avygyECGrLcUCVAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJqo=',
      'def as_dict(self, results: Iterable["DictRecognizerResult"] = None) -> None:',
      'class ModelList(BaseModel):\n    owner: str | None = None\n',
      'from engine import (\n    EngineResult,\n    OperatorConfig,\n)\n',
      'Tengo frío. The ZIP is new.',
    ])
      assert.equal(all.input(text).output, text)
    for (const name of ['Anna Lopez', 'PayPal', 'OpenAI'])
      assert.ok(!all.input(`We wrote to ${name} on Monday.`).output.includes(name))
  })
})
