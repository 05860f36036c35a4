/** A slash between a number and a value is a border in paths and logs. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const drive = new Drive(pii, {})

const outputs = (text: string) => [
  drive.next().input(text).output,
  drive.next().stream([...text]).output,
  ...Array.from(text, (_, at) => drive.next().stream([text.slice(0, at), text.slice(at)]).output),
]

it('values behind and before numbers are found', () => {
  for (const [text, value] of [
    ['s3://docs/2023/523-39-4028.pdf', '4028'],
    ['docs/2023/523-39-4028/2/w2.pdf', '4028'],
    ['GET /v1/1/523-39-4028 HTTP/1.1', '4028'],
    ['523-39-4028/2023', '4028'],
    ['/users/42/4111111111111111', '1111'],
    ['/v2/1/4111111111111111/2/x', '1111'],
    ['GET /v2/4111111111111111', '1111'],
    ['2024/05/01/4111111111111111.pdf', '1111'],
    ['rec/2024/415-555-2671.wav', '2671'],
  ] as const)
    for (const output of outputs(text)) assert.ok(!output.includes(value), output)
})

it('addresses of hosts as Java writes them are found, versions are not', () => {
  for (const text of [
    'java.net.ConnectException: Failed to connect to api.example.com/81.201.187.201:443',
    'connecting to db01/81.201.187.201:5432: timeout',
    'Connection refused: api.example.com/81.201.187.201',
  ])
    for (const output of outputs(text)) assert.ok(!output.includes('187.201'), output)
  for (const text of [
    'Chrome/91.0.4472.124 Safari/537.36',
    'https://example.org/4.12.10.11/get',
    'lib/4.12.10.11: new',
  ])
    for (const output of outputs(text)) assert.equal(output, text)
})

it('fractions, dates and longer numbers stay', () => {
  for (const text of ['4111111111111111/12 x', '12/4111111111111111 x', '2024-05-01/12', '1/2/3'])
    for (const output of outputs(text)) assert.equal(output, text)
})
