/** What a client can parse must stay so, and what it cannot must not become something it can. */
export const keepsForm = (before: string, after: string): boolean => parses(before) === parses(after)

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
