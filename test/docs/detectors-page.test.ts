import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUES } from '../../docs/generate/catalogues.ts'
import { detectorsPage } from '../../docs/generate/detectors-page.ts'
import { DETECTORS } from '../../plugins/pii/detectors/index.ts'
import { COMPANY_NAMES, PERSONAL_NAMES } from '../../plugins/pii/detectors/national-names.ts'
import { NAME_KINDS } from '../../plugins/pii/names/kinds.ts'

test('every type in the lists of others exists, and what is not found says why', () => {
  const types = new Set([...DETECTORS, ...NAME_KINDS].map(({ type }) => type))
  for (const { rows } of CATALOGUES) {
    for (const [identifier = '', cell = '', note = ''] of rows) {
      const named = [...cell.matchAll(/`(\w+)`/g)].map(([, type]) => type as string)
      for (const type of named) assert.ok(types.has(type), `${identifier}: ${type}`)
      assert.ok(named.length > 0 || note !== '', identifier)
    }
  }
})

test('names of national numbers have a country, a name and a format', () => {
  for (const { country, names, formats } of [...PERSONAL_NAMES, ...COMPANY_NAMES]) {
    assert.match(country, /^[A-Z]{2}$/)
    assert.ok(names.every((name) => name.length > 1) && formats.every((format) => /[9AX]/.test(format)), country)
  }
})

test('the page has a row for each detector and no cell that ends early', () => {
  const page = detectorsPage()
  for (const { type } of DETECTORS) assert.ok(page.includes(`\`${type}\``), type)
})
