/** Values that no reader of the gateway parses, because others would have to wait. */
export const LARGE_JSON: Readonly<Record<string, string>> = {
  'JSON that nests too deep': '['.repeat(200_000) + ']'.repeat(200_000),
  'objects that nest too deep': `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  'too long a number': '1234567890'.repeat(40_000),
  'many repeated members': `{${'"a":"b",'.repeat(80_000)}"a":"c"}`,
}
