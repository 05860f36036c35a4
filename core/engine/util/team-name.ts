/**
 * Names of teams are in events, tables, files and paths: 1 to 64 characters in one line, none of them invisible. A pattern
 * for JSON Schema, too.
 */
export const TEAM_PATTERN = '^(?!\\s)[^\\p{C}\\p{Zl}\\p{Zp}]{1,64}(?<!\\s)$'
const TEAM = new RegExp(TEAM_PATTERN, 'u')

export const isTeam = (value: unknown): value is string => typeof value === 'string' && TEAM.test(value)
