import { LEVELS } from 'governed-gateway'
import { PATTERN_WINDOW, requestRuleProperties, textRuleProperties } from 'governed-gateway/kit'

const TEXT = [
  { properties: { keywords: {} }, required: ['keywords'] },
  { properties: { patterns: {} }, required: ['patterns'] },
] as const

const rule = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      description:
        'Names the rule in events: lower-case letters, digits, - and _, at most 64. Default rule_1, rule_2 …',
      pattern: '^[a-z][a-z0-9_-]{0,63}$',
    },
    reason: {
      type: 'string',
      description: 'Reason that the client gets for a block. Default: the rule of this name does not allow it.',
      minLength: 1,
      maxLength: 500,
    },
    action: {
      type: 'string',
      description:
        'block refuses the request or reply; redact replaces the text, for rules with keywords or patterns; detect only records. Default block.',
      enum: ['detect', 'redact', 'block'],
      default: 'block',
    },
    replace: {
      type: 'string',
      description: 'Replacement for redacted text. Default the name of the rule in brackets, [RULE_1].',
      maxLength: 256,
    },
    ...textRuleProperties,
    ...requestRuleProperties,
    label: {
      type: 'string',
      description:
        'Only texts with this label or a higher one: the request on input, the reply so far on output. Not with keywords or patterns. Default any.',
      enum: LEVELS,
    },
    max_messages: {
      type: 'integer',
      description: 'Only requests with more messages than this; of several limits one is enough. Default any number.',
      minimum: 0,
    },
    max_message_characters: {
      type: 'integer',
      description: 'Only requests with a message whose text is longer than this, characters. Default any length.',
      minimum: 0,
    },
    max_characters: {
      type: 'integer',
      description:
        'Only requests whose messages together have more text than this, and replies with more in one choice, characters. Default any length.',
      minimum: 0,
    },
  },
  // A rule without conditions would refuse everything.
  anyOf: [
    ...TEXT,
    { properties: { roles: {} }, required: ['roles'] },
    { properties: { keys: {} }, required: ['keys'] },
    { properties: { teams: {} }, required: ['teams'] },
    { properties: { models: {} }, required: ['models'] },
    { properties: { label: {} }, required: ['label'] },
    { properties: { max_messages: {} }, required: ['max_messages'] },
    { properties: { max_message_characters: {} }, required: ['max_message_characters'] },
    { properties: { max_characters: {} }, required: ['max_characters'] },
  ],
  allOf: [
    {
      if: { properties: { action: { const: 'redact' } }, required: ['action'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { anyOf: TEXT },
    },
    {
      if: { anyOf: TEXT },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: {
        properties: { label: false, max_messages: false, max_message_characters: false, max_characters: false },
      },
    },
  ],
} as const

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    window: {
      type: 'integer',
      description:
        'Longest pattern match that is found in a streamed reply; a stream holds back this many characters, 1 to 1024. Default 64. Keywords hold back only possible matches.',
      minimum: 1,
      maximum: 1024,
      default: PATTERN_WINDOW,
    },
    rules: {
      type: 'array',
      description:
        'Rules that refuse or redact. All conditions of a rule must hold; each rule is evaluated independently.',
      default: [],
      items: rule,
    },
  },
} as const
