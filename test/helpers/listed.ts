import type { FieldList } from '../../core/engine/json/fields.ts'

/** All that a list of fields holds, to compare. */
export const shown = ({ fields, joined, sequence, uninspected }: FieldList): string =>
  JSON.stringify([fields.map((field) => ({ ...field, inner: field.inner?.path })), joined, sequence, [...uninspected]])
