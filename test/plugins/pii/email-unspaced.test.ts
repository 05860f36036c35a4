import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { domainToASCII } from 'node:url'
import { testPlugin } from 'governed-gateway/testing'
import { isDomainEnding } from '../../../plugins/pii/detectors/top-level-domains.ts'
import { UNSPACED_ENDINGS } from '../../../plugins/pii/detectors/unspaced-domains.ts'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { FAST, FORMS, some } from '../../helpers/rounds.ts'
import { unmark } from './cases/cases.ts'
import { EMAIL_UNSPACED } from './cases/email-unspaced.ts'

const VALUES = [
  '用户@zebra-mail.com',
  'ユーザー@zebra-mail.jp',
  '홍길동@zebra-mail.kr',
  'zhang.wei@例子.中国',
  'info@例子.公司',
  '用户@例子.公司',
]
/** As typed; all are the same address. */
const SPELLED = ['用户＠例子．公司', '用户%40例子.公司']

const PROSE = {
  Chinese:
    '每年春天，村里的人都会到河边种树。孩子们带着小铲子，老人们讲着从前的故事，一直忙到太阳落山才慢慢地走回家去。' +
    '今年的雨水比往年多，河岸上的柳树长得特别快，远远看去像一道绿色的墙。',
  Japanese:
    '毎年春になると、村の人々は川のほとりに木を植えます。子どもたちは小さなシャベルを持ち、お年寄りは昔の話をしながら、' +
    '日が暮れるまで働いてからゆっくりと家に帰っていきます。今年は雨が多かったので、柳がとてもよく育ちました。',
  Korean:
    '해마다 봄이 되면 마을 사람들은 강가에 나무를 심습니다. 아이들은 작은 삽을 들고 노인들은 옛날이야기를 하며 ' +
    '해가 질 때까지 일하다가 천천히 집으로 돌아갑니다. 올해는 비가 많이 와서 버드나무가 아주 잘 자랐습니다.',
}

describe('pii: addresses in Chinese, Japanese and Korean letters', () => {
  for (const value of some(VALUES, 2)) {
    it(`keeps ${value} from passing, whole or streamed`, async () => {
      await testPlugin(pii, {
        request: `地址: ${value}, 谢谢`,
        reply: `地址: ${value}, 谢谢`,
        variants: FAST ? FORMS : ['buffered', 'streamed'],
        expect: {
          text: '地址: [EMAIL], 谢谢',
          sent: { messages: [{ role: 'user', content: '地址: [EMAIL], 谢谢' }] },
        },
      })
      await testPlugin(pii, {
        options: { action: 'block' },
        request: value,
        variants: FORMS,
        expect: { outcome: 'blocked', status: 403, sent: null },
      })
      await testPlugin(pii, {
        options: { action: 'tokenize' },
        request: value,
        variants: FORMS,
        check: ({ sent }) => assert.doesNotMatch(JSON.stringify(sent!.body), /zebra|例子|用户|zhang/),
      })
    })
  }

  it('gives the same result at every split of a stream in two', () => {
    const drive = new Drive(pii)
    for (const [row, marked] of [...EMAIL_UNSPACED.good, ...EMAIL_UNSPACED.bad, ...SPELLED].entries()) {
      const { text } = unmark(marked)
      const whole = drive.reply(text)
      const places = Array.from({ length: text.length - 1 }, (_, i) => i + 1)
      for (const i of some(places, 5, row)) {
        const pieces = [text.slice(0, i), text.slice(i)]
        // Decoders give whole characters.
        if (/^[\udc00-\udfff]/.test(pieces[1]!)) continue
        const { output, findings } = drive.stream(pieces)
        assert.equal(output, whole.output, pieces.join('|'))
        assert.deepEqual(findings, whole.findings, pieces.join('|'))
      }
    }
  })

  it('knows dots and signs as they are typed', () => {
    const drive = new Drive(pii)
    for (const form of SPELLED) {
      assert.equal(drive.input(`邮箱：${form}！`).output, '邮箱：[EMAIL]！')
      assert.equal(drive.stream([...`邮箱：${form}！`]).output, '邮箱：[EMAIL]！')
    }
  })

  it('knows each top-level domain in both forms', () => {
    const drive = new Drive(pii)
    for (const ending of UNSPACED_ENDINGS) {
      assert.ok(isDomainEnding(domainToASCII(ending)), ending)
      for (const form of [ending, domainToASCII(ending)]) {
        assert.equal(
          drive.input(`用户@例子.${form}, jo@例子.${form}, jo@acme.${form}`).output,
          '[EMAIL], [EMAIL], [EMAIL]',
        )
      }
    }
  })

  for (const [language, prose] of Object.entries(PROSE)) {
    it(`holds of ${language} prose no more than a name of a mailbox`, () => {
      const { held, output } = new Drive(pii).stream([...prose.repeat(5)])
      assert.equal(output, prose.repeat(5))
      assert.ok(Math.max(...held) <= 10, `${Math.max(...held)}`)
      assert.ok(held.reduce((sum, n) => sum + n, 0) / held.length <= 7)
    })
  }

  it('holds a bounded text, whatever follows the sign', () => {
    const long = '很长的文字'.repeat(100)
    const dotted = '很长。'.repeat(100)
    for (const text of [
      `${long}@${long}`,
      `user@${long}`,
      `${long}@${dotted}`,
      `user@公司.中国${long}`,
      '用@'.repeat(300),
    ]) {
      const { held, output } = new Drive(pii).stream([...text])
      assert.ok(Math.max(...held) <= 254, `${Math.max(...held)}`)
      if (!text.includes('公司')) assert.equal(output, text)
    }
    const { held } = new Drive(pii).stream([...`${long}@${long}`])
    assert.ok(Math.max(...held) <= 10 + 1 + 33, `${Math.max(...held)}`)
  })
})
