import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { normalise } from '../../../core/engine/text/unicode.ts'
import { Keywords, TextRules } from '../../../core/kit/index.ts'
import { rounds } from '../../helpers/rounds.ts'
import { cutText, streamThrough } from '../../helpers/stream-view.ts'

const hold = () => {}
const hits = (keywords: Keywords, text: string) =>
  keywords.find({ text, before: '', final: true, hold }).map(({ start, end }) => text.slice(start, end))
/** Length of what a stream that goes on keeps back of a text. */
function held(keywords: Keywords, text: string, before = ''): number {
  let from = text.length
  keywords.find({
    text,
    before,
    final: false,
    hold: (at) => {
      from = at
    },
  })
  return text.length - from
}

describe('Keywords', () => {
  it('finds every keyword in one pass, overlapping ones too', () => {
    const keywords = new Keywords(['project falcon', 'falcon', 'con man'])
    assert.deepEqual(hits(keywords, 'Project Falcon, a FALCON'), ['Project Falcon', 'Falcon', 'FALCON'])
    assert.deepEqual(hits(new Keywords(['a b', 'b c']), 'a b c'), ['a b', 'b c'])
    assert.deepEqual(hits(new Keywords([]), 'nothing'), [])
    assert.equal(keywords.longest, 'project'.length + 32 + 'falcon'.length)
  })

  it('fits blanks to what parts words in names and wrapped lines, and joints to nothing else', () => {
    const keywords = new Keywords(['project falcon', 'x-ray', 'do_it now'])
    const text = 'PROJECT-falcon, project_falcon\nproject\nfalcon project\tfalcon projectfalcon project+falcon'
    assert.deepEqual(hits(keywords, text), ['PROJECT-falcon', 'project_falcon', 'project\nfalcon', 'project\tfalcon'])
    assert.deepEqual(hits(keywords, 'x-ray x ray x_ray do_it-now do it now'), ['x-ray', 'do_it-now'])
    assert.deepEqual(hits(new Keywords(['x-ray', 'a_b']), 'x ray a b a_b'), ['a_b'])
  })

  it('fits blanks to rows of what parts words, up to 32 characters', () => {
    const keywords = new Keywords(['project falcon', 'top secret', '-- flag', 'x - ray', 'c++', 'end --'])
    for (const row of [
      '  ',
      '   ',
      '\n\n',
      ' **',
      '** ',
      '_ _',
      ' - ',
      '\n     * ',
      '\n> > ',
      '\n  # ',
      ' `',
      ' ~~',
      ' '.repeat(32),
    ])
      for (const words of [
        ['Project', 'Falcon'],
        ['top', 'secret'],
      ])
        assert.deepEqual(hits(keywords, `my ${words.join(row)} is`), [words.join(row)])
    assert.deepEqual(hits(keywords, `top${' '.repeat(33)}secret, top, secret; project. falcon`), [])
    assert.deepEqual(hits(keywords, 'x - ray x  ray x -- ray --- flag --  flag c++ end -- end  --'), [
      'x - ray',
      '-- flag',
      'c++',
      'end --',
    ])
    for (const blank of ['\u2800', '\u3164', '\u1680', '\uffa0', '\0'])
      assert.equal(hits(keywords, normalise(`my top${blank}secret is`).text).length, 1, escape(blank))
    assert.equal(held(keywords, 'my project  **'), 11)
    assert.equal(held(new Keywords(['and -- '], { wholeWords: false }), 'sand -'), 5)
    assert.equal(held(new Keywords(['project falcon']), `my project${' '.repeat(33)}`), 0)
  })

  it('fits blanks to the marks before lines of comments, but not within a line', () => {
    const keywords = new Keywords(['project falcon'])
    for (const row of ['\n// ', '\r\n    /// ', '\n;; ', '\n% ', '\n  | '])
      assert.deepEqual(hits(keywords, `// of project${row}falcon.`), [`project${row}falcon`])
    for (const row of ['/', '; ', ' % ', ' | ', ';\n', ' /\n '])
      assert.deepEqual(hits(keywords, `project${row}falcon`), [])
    assert.equal(held(keywords, 'of project\n//'), 10)
    // A keyword with the mark has it where it stands.
    const paths = new Keywords(['src/falcon wing', 'wing tip'])
    assert.deepEqual(hits(paths, 'src/falcon\n# wing\n// tip src/falcon wing'), [
      'src/falcon\n# wing',
      'src/falcon wing',
    ])
  })

  it('finds Cyrillic words that a name shows as Latin ones', () => {
    const keywords = new Keywords(['Проект Оса', 'код АВС', 'АВС код'])
    for (const text of ['Проект Оса', 'Проект_Оса', 'код_АВС', 'код__АВС', 'АВС_код', 'АВС-код'])
      assert.equal(hits(keywords, normalise(`say ${text} now`).text).length, 1, text)
  })

  it('takes typewritten and typographic apostrophes and quotation marks for one', () => {
    for (const caseSensitive of [false, true])
      for (const keyword of ["O'Brien", 'O’Brien', 'the "Nest"', 'the “Nest”']) {
        const keywords = new Keywords([keyword], { caseSensitive })
        const found = hits(keywords, `O'Brien O’Brien O‘Brien the "Nest" the „Nest“ OBrien the Nest`)
        assert.equal(found.length, keyword.startsWith('O') ? 3 : 2, keyword)
      }
  })

  it('takes whole words, unless told otherwise', () => {
    const whole = new Keywords(['cat', 'c++', '#tag'])
    assert.deepEqual(hits(whole, 'cat concat cats cat7 (cat) Ünicat'), ['cat', 'cat'])
    assert.equal(hits(whole, '_cat_ __cat__ cat_id 고양이cat은 cat은').length, 5)
    assert.deepEqual(hits(new Keywords(['비밀']), '비밀 secret비밀 비밀번호'), ['비밀', '비밀'])
    assert.deepEqual(hits(whole, 'c++17 x#tag #tags c++'), ['c++', '#tag', 'c++'])
    assert.equal(hits(new Keywords(['cat'], { wholeWords: false }), 'concat cats').length, 2)
  })

  it('knows that some scripts write words without spaces', () => {
    const keywords = new Keywords(['機密', 'SQL', 'ลับ'])
    assert.deepEqual(hits(keywords, 'これは機密情報です'), ['機密'])
    assert.deepEqual(hits(keywords, 'SQLインジェクション'), ['SQL'])
    assert.deepEqual(hits(keywords, 'ความลับสุดยอด'), ['ลับ'])
    assert.deepEqual(hits(keywords, 'SQLite'), [])
  })

  it('ignores case by default, in every script and at every length', () => {
    const keywords = new Keywords(['straße', 'ÉCOLE', 'ΟΔΟΣ', 'İstanbul'])
    assert.deepEqual(hits(keywords, 'STRAßE école ΟΔΟΣ οδος οδοσ'), ['STRAßE', 'école', 'ΟΔΟΣ', 'οδος', 'οδοσ'])
    assert.deepEqual(hits(keywords, 'İstanbul, İİ İSTANBUL'), ['İstanbul', 'İSTANBUL'])
    assert.deepEqual(hits(new Keywords(['Aa'], { caseSensitive: true }), 'aa Aa AA'), ['Aa'])
  })

  it('ignores case where capitals are spelt otherwise: German, Greek, Turkish', () => {
    const keywords = new Keywords(['straße', 'σχέδιο', 'İstanbul planı', 'Işık'])
    assert.deepEqual(hits(keywords, 'STRASSE strasse STRAßE'), ['STRASSE', 'strasse', 'STRAßE'])
    assert.deepEqual(hits(keywords, 'ΣΧΕΔΙΟ ΣΧΈΔΙΟ σχέδιο'), ['ΣΧΕΔΙΟ', 'ΣΧΈΔΙΟ', 'σχέδιο'])
    assert.deepEqual(hits(keywords, 'istanbul planı, ISTANBUL PLANI, İSTANBUL PLANI; ışık'), [
      'istanbul planı',
      'ISTANBUL PLANI',
      'İSTANBUL PLANI',
      'ışık',
    ])
    const capitals = new Keywords(['GROSSEN', 'Masse Straße', 'ΑΘΗΝΑ', 'ἄνθρωπος', 'ΜΑΪΟΣ', 'PLANI'])
    assert.deepEqual(hits(capitals, 'GROßEN grossen GROẞEN MASSE STRAßE, Maße strasse'), [
      ...['GROßEN', 'grossen', 'GROẞEN', 'MASSE STRAßE', 'Maße strasse'],
    ])
    assert.deepEqual(hits(capitals, 'Αθήνα ΑΘΉΝΑ αθηνα, ΑΝΘΡΩΠΟΣ άνθρωπος Μάιος ΜΆΙΟΣ Plani planı'), [
      ...['Αθήνα', 'ΑΘΉΝΑ', 'αθηνα', 'ΑΝΘΡΩΠΟΣ', 'άνθρωπος', 'Μάιος', 'ΜΆΙΟΣ', 'Plani', 'planı'],
    ])
    const many = new Keywords(['Mississippi-Pass, Fluss und Gasse: Klasse'])
    assert.equal(hits(many, 'MISSISSIPPI-PASS, FLUSS UND GASSE: KLASSE').length, 1)
    assert.equal(hits(many, 'Mißißippi-Paß, Fluß und Gaße: Klaße').length, 1)
    const exact = new Keywords(['ΑΘΗΝΑ', 'Masse'], { caseSensitive: true })
    assert.deepEqual(hits(exact, 'Αθήνα ΑΘΉΝΑ ΑΘΗΝΑ Maße Masse'), ['ΑΘΗΝΑ', 'Masse'])
    assert.equal(held(new Keywords(['grossen']), 'die gro\u00df'), 4)
    assert.deepEqual(hits(new Keywords(['straße', 'IŞIK'], { caseSensitive: true }), 'strasse ışık straße'), ['straße'])
  })

  it('finds a keyword as it is spelt, and as Greek capitals spell it', () => {
    const words = ['xsßy', 'Ausßen', 'sssßa', 'ßß', 'massß', 'Straße', 'νῷ', 'τιμᾷ', 'Ἅιδης', 'ΐ', 'ώᾳ', 'Μάιος']
    for (const word of words) {
      const keywords = new Keywords([word])
      for (const form of [word, word.toUpperCase(), word.toLowerCase(), word.toLocaleUpperCase('el')]) {
        const { text } = normalise(form)
        assert.deepEqual(hits(keywords, `say ${text} now`), [text], `${word} in ${form}`)
      }
    }
    assert.deepEqual(hits(new Keywords(['νῷ', 'ώᾳ']), 'ΝΩΙ, ΩΑΙ'), ['ΝΩΙ', 'ΩΑΙ'])
  })

  it('takes no sharp s for the double one of a short keyword, whose word it is not', () => {
    const short = new Keywords(['ass', 'SS', 'Masse', 'Busse', 'miss'])
    assert.deepEqual(hits(short, 'Er aß einen Apfel, miß die Maße: ß. Buße'), [])
    assert.deepEqual(hits(short, 'ASS ss MASSE busse Miss'), ['ASS', 'ss', 'MASSE', 'busse', 'Miss'])
    const sharp = new Keywords(['aß', 'Maße', 'STRASSE', 'straße', 'GROSSEN'])
    assert.deepEqual(hits(sharp, 'ASS aß MASSE maße'), ['ASS', 'aß', 'MASSE', 'maße'])
    assert.deepEqual(
      new Set(hits(sharp, 'straße STRASSE STRAẞE GROßEN')),
      new Set(['straße', 'STRASSE', 'STRAẞE', 'GROßEN']),
    )
  })

  it('reads keywords as texts are read: compatible forms, folded digits, no hidden characters', () => {
    const keywords = new Keywords(['ﬁle\u200b 4٢'])
    assert.deepEqual(hits(keywords, normalise('FI\u00adLE ４2').text), ['FILE 42'])
  })

  it('holds exactly what may still become a keyword', () => {
    const keywords = new Keywords(['project falcon', 'falcon'])
    assert.equal(held(keywords, 'we talk about proj'), 4)
    assert.equal(held(keywords, 'we talk about xproj'), 0, 'no word begins there')
    assert.equal(held(keywords, 'we talk about it. '), 0)
    assert.equal(held(keywords, 'project falcon'), 14, 'the word may go on')
    assert.equal(held(keywords, 'project falcon '), 0)
    assert.equal(held(keywords, 'project f'), 9)
    assert.equal(held(keywords, 'roj', 'p'), 0)
    assert.equal(held(keywords, 'fal', 'x'), 0, 'the word began in what has left')
    assert.equal(held(new Keywords([]), 'anything'), 0)
  })

  const word = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', ' ', '_', '-', '\n', 'é', '機', 'ς'),
    minLength: 1,
    maxLength: 6,
  })
  const options = fc.record({ caseSensitive: fc.boolean(), wholeWords: fc.boolean() })

  it('finds the same in a stream however it is cut, and holds no more than the longest keyword', () => {
    const units = fc.constantFrom('a', 'b', 'A', ' ', '_', '-', '\n', '/', ';', 'é', '機', 'ς')
    const text = fc.string({ unit: units, maxLength: 60 })
    const cuts = fc.array(fc.nat(60), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), options, text, cuts, (list, how, whole, positions) => {
        const keywords = new Keywords(list, how)
        const { spans, longestHold } = streamThrough(keywords, cutText(whole, positions))
        assert.deepEqual(spans, streamThrough(keywords, [whole]).spans)
        assert.ok(longestHold <= keywords.longest)
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('finds what a plain search finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 40 })
    const keyword = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.uniqueArray(keyword, { maxLength: 4 }), text, (list, whole) => {
        const expected = list.flatMap((one) => {
          // A row of blanks within a keyword fits every row.
          const fits = new RegExp(`^${one.replace(/(?<=\S) +(?=\S)/g, ' +')}`)
          return [...Array(whole.length).keys()].flatMap((at) => {
            const [found] = fits.exec(whole.slice(at)) ?? []
            return found === undefined ? [] : `${at}-${at + found.length}`
          })
        })
        const { spans } = streamThrough(new Keywords(list, { wholeWords: false }), [whole])
        assert.deepEqual(spans, [...new Set(expected)].sort())
      }),
      { numRuns: rounds(1000) },
    )
  })

  it('leaves out only what is no keyword: as beside a short one, with which it reads every character', () => {
    const units = ['a', 'b', 'B', ' ', '-', '\n', '/', 'é', 'ß', '機', 'İ', 'x', ',']
    const part = fc.string({ unit: fc.constantFrom(...units), minLength: 5, maxLength: 12 })
    const filler = fc.string({ unit: fc.constantFrom(...units), maxLength: 24 })
    const places = fc.array(fc.tuple(fc.nat(7), fc.nat(12), filler), { maxLength: 8 })
    const cuts = fc.array(fc.nat(80), { maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 8 }),
        options,
        places,
        cuts,
        (list, how, parts, positions) => {
          const whole = parts
            .map(
              ([which, length, other]) =>
                `${(list[which % list.length] as string).slice(0, Math.max(4, length))}${other}`,
            )
            .join('')
          const every = new Keywords([...list, '§'], how)
          const some = new Keywords(list, how)
          for (const pieces of [[whole], cutText(whole, positions)])
            assert.deepEqual(streamThrough(some, pieces), streamThrough(every, pieces))
          for (let end = 0; end <= whole.length; end++)
            assert.equal(held(some, whole.slice(0, end)), held(every, whole.slice(0, end)))
        },
      ),
      { numRuns: rounds(1000) },
    )
  })

  it('finds keywords in a long text, read in steps, wherever a step ends', async () => {
    const keywords = ['project falcon', 'blue harvest', 'Straße nach Süden']
    const rules = new TextRules([{ keywords }])
    const found = async (text: string) => {
      const starts: number[] = []
      const view = { text, before: '', final: true, direction: 'input', channel: 'content', role: 'user', hold }
      await rules.each(view as never, { nextTurn: async () => {} } as never, ({ start }) => starts.push(start))
      return starts
    }
    const step = 128 * 1024
    for (const keyword of keywords) {
      for (let at = step - keyword.length - 1; at <= step + 1; at++) {
        const text = `${'projects fall. '.repeat(step).slice(0, at - 1)} ${keyword} ${'blue haven '.repeat(100)}`
        assert.deepEqual(await found(text), [at], `${keyword} at ${at - step}`)
      }
    }
  })
})
