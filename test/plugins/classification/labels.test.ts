import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type PluginCase, testPlugin } from 'governed-gateway/testing'
import classification from '../../../plugins/classification/index.ts'
import { readLabels } from '../../../plugins/classification/label-file.ts'
import { LabelTexts } from '../../../plugins/classification/label-texts.ts'
import pii from '../../../plugins/pii/index.ts'
import { PARAGRAPHS } from '../../eval/data/paragraphs.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { asking, post, setup } from '../../helpers/gateway.ts'

const { list } = readLabels(['*'], undefined)
const shipped = new LabelTexts(list)

/** Names of the labels that a whole text has. */
function labelsOf(text: string, texts = shipped, member?: string): string[] {
  const hits = texts.find({ text, before: '', final: true, hold: () => undefined, member })
  return [...new Set(hits.map(({ label }) => list[label]?.name ?? '?'))].sort()
}

/** A folder with these files. */
function folder(files: Readonly<Record<string, string>>): string {
  const path = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}

const run = (options: object, testCase: PluginCase) => testPlugin(classification, { options, ...testCase })

describe('shipped labels', () => {
  const PERSONAL: Readonly<Record<string, readonly string[]>> = {
    gdpr_health: [
      'Last year I was diagnosed with it.',
      'Our employee has multiple sclerosis and needs a lift.',
      'Meine Kollegin ist krankgeschrieben.',
      'Ich leide seit Jahren an einer Depression.',
      'La salariée est enceinte de six mois.',
      'Tengo esquizofrenia y tomo pastillas.',
      'diagnosis: hepatitis',
    ],
    gdpr_religion: [
      'The applicant is a Muslim from Leeds',
      'Konfession: evangelisch',
      'Le candidat est juif.',
      'Mi marido es católico',
    ],
    gdpr_politics: [
      'I am a registered Republican.',
      'Ich bin Mitglied der SPD',
      'Je suis membre du Parti socialiste',
      'Soy militante de Vox',
    ],
    gdpr_ethnicity: [
      'Ethnicity: Hispanic',
      'Der Mieter ist türkischstämmig',
      'La locataire est maghrébine',
      'La inquilina es gitana',
    ],
    gdpr_orientation: [
      'My boss is gay, and HR knows',
      'Ich bin lesbisch',
      'Mon fils est homosexuel',
      'Orientación sexual: bisexual',
    ],
    gdpr_union: [
      'I joined a trade union in May',
      'Sie ist Mitglied der IG Metall',
      'Je suis syndiquée',
      'Soy delegada sindical',
      'union dues for the Teamsters',
    ],
    gdpr_biometrics: [
      "Upload the employee's fingerprint",
      'Fingerabdrücke? Nein: Zeiterfassung, Fingerabdruck des Mitarbeiters',
      'empreintes digitales du salarié',
      'las huellas dactilares del empleado',
    ],
    gdpr_genetics: [
      'The patient carries a BRCA1 mutation',
      'Meine Mutter hat Huntington',
      'Ma mère a la mutation',
      'Mi padre tiene Huntington',
    ],
    pci: [
      'my card 1234, the CVV 123',
      'Meine Karte, CVV 123',
      'ma carte, cryptogramme 123',
      'mi tarjeta, código de seguridad 123',
    ],
    phi: [
      'Patient name: Ann. Lab results attached.',
      'Arztbrief für Herrn Maier',
      'Ordonnance pour ma patiente',
      'Informe de alta de la señora Ruiz',
    ],
  }

  for (const [name, texts] of Object.entries(PERSONAL)) {
    it(`tell ${name} in four languages`, () => {
      for (const text of texts) assert.ok(labelsOf(text).includes(name), text)
    })
  }

  it('need context: what is said of no person raises nothing', () => {
    const general = [
      'The European Union was founded in 1993, and Texas joined the Union in 1845.',
      'Cancer is the second leading cause of death. HIV was identified in 1983.',
      'The Catholic Church and the Protestant churches signed a declaration.',
      'Republican senators voted against the bill; the Labour Party won.',
      'Diabetes ist eine Stoffwechselkrankheit. Die Gewerkschaft ruft zum Streik auf.',
      'Le cancer du sein touche une femme sur huit. Le syndicat appelle à la grève.',
      'La diabetes afecta a millones. El sindicato convocó una huelga.',
      'A black cat sat on a white wall; the race began at noon.',
      'The union of two sets, a mutation of state, a genome of 3 billion bases.',
    ]
    for (const text of general) assert.deepEqual(labelsOf(text), [], text)
  })

  it('are silent in ordinary paragraphs', () => {
    const wrong = PARAGRAPHS.filter((text) => labelsOf(text).length > 0)
    assert.deepEqual(wrong, [])
  })

  it('take the name of a JSON member as context', () => {
    assert.deepEqual(labelsOf('catholic', shipped, 'religion'), ['gdpr_religion'])
    assert.deepEqual(labelsOf('black', shipped, 'ethnicGroup'), ['gdpr_ethnicity'])
    assert.deepEqual(labelsOf('black', shipped, 'colour'), [])
  })
})

describe('labels of requests and replies', () => {
  it('rise by words in context, however a reply is cut', async () => {
    await run(
      { labels: ['gdpr_*'] },
      {
        request: 'The applicant is a Muslim',
        reply: 'So the employee is Jewish, is a union member.',
        expect: {
          label: 'RESTRICTED',
          text: 'So the employee is Jewish, is a union member.',
          service: { output_classification: 'RESTRICTED' },
          detections: { gdpr_religion: 2, gdpr_union: 1 },
        },
        check: ({ events }) => assert.deepEqual(events.at(-1)?.rules, ['classification/gdpr_religion']),
      },
    )
  })

  it('find a context that follows its term, also when the term has left', async () => {
    const reply = `Hepatitis${' '.repeat(6)}runs in him: the employee is ill.`
    await run({ labels: ['gdpr_health'] }, { reply, expect: { text: reply, detections: { gdpr_health: 1 } } })
  })

  const file = 'label: RESTRICTED\nfindings: [pii/email]\n'
  const MAIL = 'ann@example.org'

  it('rise by what another plugin found, and name the label', async () => {
    const options = { labels: ['people'], labels_dir: folder({ 'people.yaml': file }) }
    await run(options, {
      with: [pii],
      variants: ['buffered', 'bytes'],
      request: MAIL,
      reply: `I wrote to ${MAIL}`,
      expect: { label: 'RESTRICTED', service: { output_classification: 'RESTRICTED' } },
      check: ({ events }) => assert.match(String(events.at(-1)?.rules), /classification\/people/),
    })
    await run(options, { with: [pii], request: 'no address', variants: ['buffered'], expect: { label: 'PUBLIC' } })
  })

  it('do not hold a request back that is harmless after redaction', async () => {
    const options = { labels: ['people'], labels_dir: folder({ 'people.yaml': file }) }
    const upstream = { max_classification: 'INTERNAL' }
    const setup = { with: [pii], request: MAIL, variants: ['buffered'] } as const
    await run(options, { ...setup, upstream, expect: { outcome: 'blocked', sent: null } })
    const after = { ...upstream, ceiling: 'after_redaction' }
    await run(options, { ...setup, upstream: after, expect: { outcome: 'completed', label: 'RESTRICTED' } })
  })

  it('change with the files at a reload, also for texts seen before', async (t) => {
    const phrase = 'phrases: { en: [blue harvest] }\n'
    const path = folder({})
    mkdirSync(join(path, 'labels'))
    const ships = join(path, 'labels', 'ships.yaml')
    writeFileSync(ships, `label: INTERNAL\n${phrase}`)
    const plugins = [{ use: 'classification', options: { labels: ['ships'], labels_dir: 'labels' } }]
    const { gateway } = await setup(t, { folder: path, plugins })
    const labelOf = async () => {
      const reply = await post(gateway, asking('The blue harvest'))
      await reply.text()
      return reply.headers['x-service-classification']
    }
    assert.equal(await labelOf(), 'INTERNAL')
    writeFileSync(ships, `label: CONFIDENTIAL\n${phrase}`)
    await gateway.reload()
    assert.equal(await labelOf(), 'CONFIDENTIAL')
    writeFileSync(ships, 'label: SECRET\n')
    await assert.rejects(gateway.reload(), /ships\.yaml:1: label: must be one of/)
    assert.equal(await labelOf(), 'CONFIDENTIAL', 'the last good files stay')
  })
})

describe('label files', () => {
  it('of the operator replace shipped ones of the same name', () => {
    const own = folder({ 'pci.yaml': 'label: INTERNAL\n', 'notes.txt': 'no label' })
    const { list: labels } = readLabels(['pci', 'phi'], own)
    assert.deepEqual(
      labels.map(({ name, label }) => `${name} ${label}`),
      ['pci INTERNAL', 'phi RESTRICTED'],
    )
    assert.notEqual(readLabels(['pci'], own).digest, readLabels(['pci'], undefined).digest)
  })

  it('say what is wrong, where', () => {
    const problem = (text: string, name = 'mine.yaml') => {
      try {
        readLabels(['mine'], folder({ [name]: text }))
        return 'none'
      } catch (error) {
        return (error as Error).message.replace(/: \/\S+\//, ': ')
      }
    }
    assert.match(problem('about: x\n'), /^options\.labels_dir: mine\.yaml:1: needs "label"$/)
    assert.match(problem('label: LOW\n'), /mine\.yaml:1: label: must be one of PUBLIC, INTERNAL/)
    assert.match(problem('label: PUBLIC\nterm: {}\n'), /mine\.yaml:2: term: is not a known key\. Did you mean "terms"/)
    assert.match(problem('label: PUBLIC\nterms:\n  en: [x]\n'), /mine\.yaml:3: terms\.en\[0\]: /)
    assert.match(problem('label: PUBLIC\nfindings: [email]\n'), /mine\.yaml:2: findings\[0\]: /)
    assert.match(problem('label: [\n'), /mine\.yaml:\d: YAML: /)
    assert.match(problem('label: PUBLIC\nterms: &a { en: *a }\n'), /mine\.yaml:\d/)
    assert.match(problem('', 'mine.yaml'), /needs "label"/)
    assert.match(problem('label: PUBLIC\n', 'My label.yaml'), /My label\.yaml: a name has lower-case letters/)
    assert.throws(() => readLabels(['pcl'], undefined), /options\.labels\[0\]: no label is called "pcl"\. Known: gdpr_/)
    assert.throws(() => readLabels([], '/nowhere/at/all'), /options\.labels_dir: \/nowhere\/at\/all cannot be read/)
  })
})
