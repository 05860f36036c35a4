/** A percent sign directly before a number may begin an escape, or be a wildcard: `LIKE '%4012888888881881%'`. Both are read. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import pii from '../../plugins/pii/index.ts'
import { Drive } from '../eval/drive.ts'

const drive = new Drive(pii, {})

const outputs = (text: string) => [
  drive.next().input(text).output,
  drive.next().stream([text]).output,
  drive.next().stream([...text]).output,
  ...Array.from(text, (_, at) => drive.next().stream([text.slice(0, at), text.slice(at)]).output),
]

it('a number between the wildcards of SQL is found', () => {
  for (const value of [
    '4111111111111111',
    '4111 1111 1111 1111',
    '5469837596501914',
    '6011111111111117',
    '374245455400126',
    '3530111333300000',
    '2221000000000009',
    '717-39-4028',
    '523-39-4028',
  ])
    for (const [before, behind] of [
      ['%', '%'],
      ['%', ''],
      ['', '%'],
      ['\\%', '%'],
    ])
      for (const output of outputs(`SELECT x FROM t WHERE v LIKE '${before}${value}${behind}' LIMIT 5`))
        assert.ok(!output.includes(value.slice(2)), output)
})

it('a telephone number between them is no percentage', () => {
  for (const value of ['415-555-2671', '202-555-0143'])
    for (const output of outputs(`WHERE tel LIKE '%${value}%'`)) assert.ok(!output.includes(value.slice(2)), output)
})

it('a number behind an escape is found', () => {
  for (const [text, value] of [
    ['https://example.org/?q=card%204111111111111111&b=2', '4111111111111111'],
    ['mail=jo%40163.com&b=2', '163.com'],
    ['tel=%28415%29%20555-2671&b=2', '555-2671'],
    ['v=%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31&b=2', '%31%31%31'],
    ['v=a%2520212-55-1234&b=2', '55-1234'],
  ] as const)
    for (const output of outputs(text)) assert.ok(!output.includes(value), output)
})

it('what is no number stays', () => {
  for (const text of ['a discount of 20%2024', "LIKE '%2024%'", 'q=%20100&r=%20200', 'x=%41%42%20300'])
    for (const output of outputs(text)) assert.equal(output, text)
})
