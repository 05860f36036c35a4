import { createHash } from 'node:crypto'

/** Compiles the operator's list of allowed values, in clear or as SHA-256. */
export function compileAllow(list: readonly string[]): (value: string) => boolean {
  const clear = new Set(list.filter((entry) => !entry.startsWith('sha256:')))
  const hashes = new Set(
    list.filter((entry) => entry.startsWith('sha256:')).map((entry) => entry.slice(7).toLowerCase()),
  )
  if (clear.size === 0 && hashes.size === 0) return () => false
  return (value) =>
    clear.has(value) || (hashes.size > 0 && hashes.has(createHash('sha256').update(value).digest('hex')))
}
