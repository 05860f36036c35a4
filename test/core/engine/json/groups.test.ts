import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Channel } from '../../../../core/engine/contract/plugin.ts'
import { FieldList } from '../../../../core/engine/json/fields.ts'
import { parseStrictText } from '../../../../core/engine/json/strict.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'

/** The text of each group, after a walk at once and in steps. */
function groupsOf(text: string, channel: Channel = 'tool_arguments'): string[] {
  const { tree } = parseStrictText(text)
  const [atOnce, inSteps] = [new FieldList(text), new FieldList(text)]
  atOnce.addAll(channel, [], tree)
  allSteps(inSteps.inSteps(() => inSteps.addAll(channel, [], tree)))
  assert.deepEqual(inSteps.fields, atOnce.fields)
  assert.deepEqual(inSteps.groups, atOnce.groups)
  return atOnce.groups.map(({ fields, gaps = [] }) =>
    fields.map((at, i) => `${gaps[i]}${atOnce.fields[at]?.text}`).join(''),
  )
}

describe('neighbours in JSON that may be one value', () => {
  it('are read as JSON spells them', () => {
    for (const text of [
      '{"card":[4556,7375,8689,9855]}',
      '{"card":["4556",7375,"8689",9855]}',
      '{"card":{"a":4556,"b":7375,"c":"8689"}}',
      '{"iban":["GB29","NWBK","6016","1331","9268","19"]}',
    ]) {
      const [, name, value] = /^\{("\w+":[[{])(.*?)"?[\]}]\}$/.exec(text) as RegExpExecArray
      assert.deepEqual(groupsOf(text), [`${name}${value}`])
    }
  })

  it('are apart from others, and from other groups', () => {
    assert.deepEqual(groupsOf('[4556,7375,86,null,[123456,123456],"a word",8689,98551]'), [
      '[4556,7375,86',
      '[123456,123456',
      '[8689,98551',
    ])
    assert.deepEqual(groupsOf('{"a":4556,"b":73756,"note":"is paid","c":8689,"d":98551}'), [
      '{"a":4556,"b":73756',
      '{"c":8689,"d":98551',
    ])
  })

  it('are none alone, with too few or too many digits, or of other kinds', () => {
    const many = Array.from({ length: 17 }, () => 4556)
    for (const value of [
      [4556737586899855],
      [1234, 5678],
      many,
      [45.5, 73.7, 86.8],
      [-45561, -73752],
      ['ab 1234', 'cd 5678'],
      [true, null],
    ])
      assert.deepEqual(groupsOf(JSON.stringify({ value })), [], String(value))
  })

  it('are looked for in arguments and metadata only', () => {
    for (const channel of ['content', 'other', 'tool_definition', 'response_schema'] as const)
      assert.deepEqual(groupsOf('[4556,7375,8689,9855]', channel), [])
    assert.equal(groupsOf('[4556,7375,8689,9855]', 'metadata').length, 1)
  })

  it('keep their places in another list', () => {
    const [list, other] = [new FieldList('[]'), new FieldList('[]')]
    list.add('content', [], 'first')
    other.addAll('metadata', [], [4556, 7375, 8689])
    list.append(other)
    assert.deepEqual(list.groups[0]?.fields, [1, 2, 3])
  })
})
