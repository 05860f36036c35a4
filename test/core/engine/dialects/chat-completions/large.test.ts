import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRequest, readRequestInSteps } from '../../../../../core/engine/dialects/chat-completions/request.ts'
import {
  requestFields,
  requestFieldsInSteps,
} from '../../../../../core/engine/dialects/chat-completions/request-fields.ts'
import type { FieldList } from '../../../../../core/engine/json/fields.ts'
import { allSteps } from '../../../../../core/engine/util/steps.ts'
import { REQUESTS } from '../../../growth/documents.ts'

const shown = ({ fields, joined, sequence, uninspected }: FieldList): string =>
  JSON.stringify([fields.map((field) => ({ ...field, inner: field.inner?.path })), joined, sequence, [...uninspected]])

describe('a large request that is read in steps', () => {
  for (const [shape, make] of Object.entries(REQUESTS)) {
    it(`has the same texts: ${shape}`, () => {
      const body = Buffer.from(JSON.stringify(make(80_000)))
      const expected = shown(requestFields(readRequest(body)))
      const request = allSteps(readRequestInSteps(body, 1_000_000))
      // No diff of megabytes, should they differ.
      assert.ok(shown(allSteps(requestFieldsInSteps(request))) === expected)
      assert.ok(shown(requestFields(request)) === expected)
    })
  }
})
