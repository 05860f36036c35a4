import type { Channel, Direction, TextView } from '../engine/contract/plugin.ts'
import { Keywords } from './keywords.ts'
import { PATTERN_WINDOW, Patterns } from './patterns.ts'

/** Conditions on texts, with the names of the config. See `textRuleProperties`. */
export interface TextRuleOptions {
  readonly keywords?: readonly string[]
  readonly patterns?: readonly string[]
  readonly case_sensitive?: boolean
  readonly whole_words?: boolean
  readonly roles?: readonly string[]
  readonly channels?: readonly Channel[]
  readonly on?: Direction | 'both'
}

/** JSON Schema properties of `TextRuleOptions`, for plugins with such rules. */
export const textRuleProperties = {
  keywords: {
    type: 'array',
    description:
      'Words and phrases, each of 1 to 256 characters; one of them is enough. A blank fits up to 32 blanks, line breaks, hyphens, underscores and marks of Markdown, comments and quoted mails.',
    items: { type: 'string', minLength: 1, maxLength: 256 },
    minItems: 1,
  },
  patterns: {
    type: 'array',
    description: 'Regular expressions in RE2 syntax, case-sensitive unless they begin with (?i); one match is enough.',
    items: { type: 'string', format: 're2', minLength: 1, maxLength: 4096 },
    minItems: 1,
  },
  case_sensitive: { type: 'boolean', description: 'For keywords. Default false.', default: false },
  whole_words: {
    type: 'boolean',
    description: 'Keywords begin and end at a word border. Default true.',
    default: true,
  },
  roles: {
    type: 'array',
    description: 'Only texts of messages with these roles; replies have the role assistant. Default all texts.',
    items: { type: 'string', enum: ['system', 'developer', 'user', 'assistant', 'tool', 'function'] },
    minItems: 1,
  },
  channels: {
    type: 'array',
    description: 'Only texts that stand in these places. Default all, tool arguments and reasoning included.',
    items: {
      type: 'string',
      enum: [
        'content',
        'reasoning',
        'refusal',
        'transcript',
        'tool_name',
        'tool_arguments',
        'tool_result',
        'tool_definition',
        'response_schema',
        'prediction',
        'annotation',
        'file_name',
        'media_url',
        'metadata',
        'user',
        'error',
        'other',
      ],
    },
    minItems: 1,
  },
  on: {
    type: 'string',
    description: 'Requests (input), replies (output) or both. Default both.',
    enum: ['input', 'output', 'both'],
    default: 'both',
  },
} as const

/**
 * Keywords and patterns for chosen roles, places and directions. `find` holds possible starts of a match in a stream.
 */
export class TextRule {
  readonly #keywords: Keywords | undefined
  readonly #patterns: Patterns | undefined
  readonly #roles: ReadonlySet<string> | undefined
  readonly #channels: ReadonlySet<Channel> | undefined
  readonly #on: Direction | 'both'

  constructor(options: TextRuleOptions, window: number = PATTERN_WINDOW) {
    const { keywords, patterns, roles, channels, on = 'both' } = options
    const how = { caseSensitive: options.case_sensitive === true, wholeWords: options.whole_words !== false }
    this.#keywords = keywords === undefined ? undefined : new Keywords(keywords, how)
    this.#patterns = patterns === undefined ? undefined : new Patterns(patterns, { window })
    this.#roles = roles === undefined ? undefined : new Set(roles)
    this.#channels = channels === undefined ? undefined : new Set(channels)
    this.#on = on
  }

  /** Whether the rule has keywords or patterns, and not only conditions. */
  get hasText(): boolean {
    return this.#keywords !== undefined || this.#patterns !== undefined
  }

  /** Whether the rule applies to requests, or to replies. */
  looksAt(direction: Direction): boolean {
    return this.#on === 'both' || this.#on === direction
  }

  appliesTo({ direction, role, channel }: Pick<TextView, 'direction' | 'role' | 'channel'>): boolean {
    if (!this.looksAt(direction)) return false
    if (this.#channels !== undefined && !this.#channels.has(channel)) return false
    return this.#roles === undefined || (role !== undefined && this.#roles.has(role))
  }

  /** The spans of keywords and patterns; call it only for views that the rule applies to. */
  find(view: Pick<TextView, 'text' | 'before' | 'final' | 'hold'>): { readonly start: number; readonly end: number }[] {
    const { text, before, final } = view
    let from = text.length
    // Both search the same text; the longer hold applies.
    const probe = {
      text,
      before,
      final,
      hold: (at: number) => {
        from = Math.min(from, at)
      },
    }
    const hits = [...(this.#keywords?.find(probe) ?? []), ...(this.#patterns?.find(probe) ?? [])]
    if (!final && from < text.length) view.hold(from)
    return hits
  }
}
