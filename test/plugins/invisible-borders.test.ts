/** What shows nothing hides no value between words, in whole texts and streams: controls between records, spaces without width, colours. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import pii from '../../plugins/pii/index.ts'
import policy from '../../plugins/policy/index.ts'
import secrets from '../../plugins/secrets/index.ts'
import { Drive } from '../eval/drive.ts'
import { some } from '../helpers/rounds.ts'

const DETECTORS: readonly [plugin: PluginSpec, options: object, values: readonly string[]][] = [
  [
    pii,
    {},
    [
      '4111 1111 1111 1111',
      '4012888888881881',
      'DE89370400440532013000',
      '212-55-1234',
      '415-555-2671',
      'jo@example.com',
    ],
  ],
  [secrets, { input: 'redact' }, ['AKIAW6YVEZ375LXEHFGH', 'ghp_1r3KYPcG0rYBZnlbEaKmyoJJgKQVgS1HxavZ']],
  [policy, { rules: [{ name: 'falcon', keywords: ['project falcon'], action: 'redact' }] }, ['Project Falcon']],
]

const BETWEEN = [
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).filter((char) => !/\s|\x1b/.test(char)),
  '\x7f',
  '\u200b',
  '\u200e',
  '\u2060',
  '\ufeff',
  '\u3164',
  '\u200b\u200b',
  '\x1b[0m',
  '\x1b[01;31m\x1b[K',
]

const WRITTEN = ['\\u0000', '\\x1f', '\\u001b[32m', '\\x1b[0m', '\\e[0m', '\\u200b', '&#8203;', '%E2%80%8B', '%00']

/** They show nothing either, but stay. */
const SEQUENCES = ['\x1b[2J', '\x1b[10;5H', '\x1b[?25l', '\x1b[G', '\x1b[>4;1m', '\x1b[38:2::1:2:3m', '\x1b[2 q']

describe('what shows nothing between words', () => {
  for (const [plugin, options, values] of DETECTORS) {
    it(`hides no value of ${plugin.name}`, () => {
      const drive = new Drive(plugin, options)
      for (const [row, value] of values.entries())
        for (const sign of some([...BETWEEN, ...SEQUENCES, ...WRITTEN], 7, row))
          for (const text of [`a${sign}${value}${sign}B=1`, `12${sign}${value}${sign}34`]) {
            const cut = [text.slice(0, 1 + text.indexOf(sign)), text.slice(1 + text.indexOf(sign))]
            const behind = text.indexOf(value) + value.length
            for (const output of [
              drive.next().input(text).output,
              drive.next().stream([text]).output,
              drive.next().stream([...text]).output,
              drive.next().stream(cut).output,
              drive.next().stream([text.slice(0, behind), text.slice(behind)]).output,
            ])
              assert.ok(!output.includes(value), JSON.stringify([text, output]))
          }
    })

    it(`is read as nothing within a value of ${plugin.name}`, () => {
      const drive = new Drive(plugin, options)
      for (const value of values)
        for (const sign of [...BETWEEN, ...WRITTEN]) {
          const text = `a ${value.slice(0, 6)}${sign}${value.slice(6)} b`
          for (const output of [drive.next().input(text).output, drive.next().stream([...text]).output])
            assert.ok(!output.includes(value.slice(6)), JSON.stringify([text, output]))
        }
    })
  }
})
