/** A rewrite must not change whether clients can parse a text. */
export const keepsForm = (before: string, after: string): boolean => parses(before) === parses(after)

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
