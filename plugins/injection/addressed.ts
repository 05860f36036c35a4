/**
 * Sentences in fetched texts that speak to whatever model reads them: by its name before an order, in a comment that
 * readers do not see, about what it should keep, or with a verdict for it to repeat. Repositories have notes to
 * assistants, too, and changelogs name models; so a form without anything suspect in it counts only beside other signs.
 */
import type { Shape } from './shape.ts'

/** What only a model is called. */
const NAMES =
  'ai assistant|ai agent|ai model|ai system|ai reviewer|ai summarizer|ai tool|llm|chatbot|language model|virtual assistant|coding assistant|coding agent|email assistant|research agent|research assistant|automated system|autonomous agent'.split(
    '|',
  )
const MODEL = `(?:${NAMES.join('|')})s?`

/** What is told to a reader, not what a part of a program does: titles of changes have a name and a colon, too. */
const ORDER =
  "(?:forward|approve|rate|rank|recommend|reveal|disclose) (?:this|our|your|my|the (?:user|above|pending|applicant|candidate|product|request|invoice))|transfer \\$?\\d|(?:tell the user|say|state) (?:that|their)|(?:do not|don['’]t|never) (?:mention|tell|warn|disclose)|(?:ignore|disregard) (?:the (?:diff|user|above|previous|rest)|all (?:previous|prior|other)|previous|your)"
const HIDDEN_ORDER =
  "(?:forward|send|tell|transfer|approve|reveal|disclose|rate|rank|recommend|say|state|ignore|disregard|do not|don['’]t|never|wire|pay|report|summari[sz]e|delete|include|prepend|append|call|run|execute|add)"

/** A model by its name, and an order. */
const toModel = (name: string, order: string): RegExp =>
  new RegExp(
    `\\b${name}(?: instructions?)?[:,\\]] ?(?:please |now |you (?:must|should) (?:now |also )?)?(?:${order})\\b`,
    'gi',
  )

export const ADDRESSED: readonly Shape[] = [
  {
    id: 'document/hidden-definition',
    family: 'indirect_instruction',
    weight: 0.6,
    pattern:
      /\[(?:\/\/|comment|_)\]: ?(?:#|<>) ?[("'][^\n]{0,12}\b(?:assistants?|AI|LLMs?|agents?|(?:language )?models?|copilot|claude|chatbots?)\b[^\n]{0,25}(?:[:,]|\b(?:must|should|please)\b)/gi,
    needs: ['[//]:', '[comment]:', '[_]:'],
    with: [['assistant', 'ai', 'llm', 'agent', 'model', 'copilot', 'claude', 'chatbot']],
  },
  {
    id: 'document/order-to-the-model',
    family: 'indirect_instruction',
    weight: 0.33,
    pattern: toModel(MODEL, ORDER),
    // Not an item of a list: changes are told there by their part.
    before: /(?:^|[.!?:>"'([\n#/]\s{0,2})$/,
    needs: NAMES,
  },
  {
    id: 'document/hidden-order-to-the-model',
    family: 'indirect_instruction',
    weight: 0.5,
    pattern: toModel(`(?:${MODEL}|assistants?|agents?)`, HIDDEN_ORDER),
    before: /(?:<!--|(?:display ?: ?none|\bhidden)[^>\n]{0,20}>)\s{0,2}$/i,
    needs: [...NAMES, 'assistant', 'agent'],
    with: [['<!--', 'none', 'hidden']],
  },
  {
    id: 'document/send-key-file',
    family: 'data_exfiltration',
    weight: 0.5,
    pattern:
      /\b(?:send|e-?mail|forward|upload|post|transmit|exfiltrate|copy)\b[^\n]{0,40}(?:\.aws\/credentials|\.ssh\/id_\w{2,10}|\/etc\/shadow|\.netrc|\.npmrc|\.env|\.git-credentials)\b(?!\.pub)[^\n]{0,60}\bto\b[^\n]{0,20}(?:@[\w-]{1,63}\.\w|https?:\/\/)/gi,
    needs: ['.aws/', '.ssh/', '/etc/shadow', '.netrc', '.npmrc', '.env', '.git-credentials'],
    with: [
      ['send', 'mail', 'forward', 'upload', 'post', 'transmit', 'exfiltrate', 'copy'],
      ['@', 'http'],
    ],
  },
  {
    id: 'document/verdict-for-the-model',
    family: 'indirect_instruction',
    weight: 0.4,
    pattern: new RegExp(
      `\\b(?:${MODEL}|(?:if|when) an? (?:AI|model|LLM|agent|assistant|bot)\\b)[^.!?\\n]{0,60}[:,] (?:please |you (?:must|should) )?(?:report|state|say|conclude|record|note|classify|rate|rank|score|mark|treat|approve|recommend|describe|summari[sz]e)\\b[^.!?\\n]{0,60}\\b(?:audited|verified|no (?:known )?(?:\\w+ )?(?:issues|vulnerabilities|problems|risks)|safe|clean|compliant|approved|trusted|trustworthy|(?:best|strongest|top|ideal) (?:candidate|applicant|choice|option|product)|100|10\\/10|five[- ]stars?|5[- ]stars?)(?!\\w)`,
      'gi',
    ),
    needs:
      'audited|verified|issues|vulnerabilities|problems|risks|safe|clean|compliant|approved|trust|candidate|applicant|choice|option|product|100|10/10|star'.split(
        '|',
      ),
    with: [[...NAMES, ' ai', ' model', ' agent', ' assistant', ' bot']],
  },
  {
    id: 'document/approved-for-you',
    family: 'authority_claim',
    weight: 0.38,
    pattern:
      /\b(?:openai|anthropic|google|microsoft|the (?:user|operator|developer|administrator|owner))s?(?: has| have|['’]s)?(?: already)? (?:pre-?)?(?:approved|authori[sz]ed|granted|allowed|asked|instructed|cleared)(?: you)?\b[^.!?\n;]{0,40}[;:,]? ?(?:you (?:may|can)|you to|to (?:skip|turn off|disable|bypass)|an exception)\b[^.!?\n]{0,60}\b(?:skip|share|send|turn off|disable|bypass|ignore|delete|make (?:purchases|payments)|transfer|forward|without (?:asking|confirm\w*))\b/gi,
    needs: ['openai', 'anthropic', 'google', 'microsoft', 'user', 'operator', 'developer', 'administrator', 'owner'],
    with: [
      ['you may', 'you can', 'you to', 'to skip', 'to turn off', 'to disable', 'to bypass', 'an exception'],
      ['approved', 'authori', 'granted', 'allowed', 'asked', 'instructed', 'cleared'],
      [
        'skip',
        'share',
        'send',
        'turn off',
        'disable',
        'bypass',
        'ignore',
        'delete',
        'make',
        'transfer',
        'forward',
        'without',
      ],
    ],
  },
  {
    id: 'document/kept-in-memory',
    family: 'indirect_instruction',
    weight: 0.36,
    pattern:
      /(?<!\w )\b(?:remember|memori[sz]e|store|save|record)\b[^.!?\n]{0,40}\b(?:permanently|(?:to|in) your (?:long-term |persistent )?memory|for (?:all |any |every )?(?:future|subsequent|later) (?:conversations?|sessions?|chats?|interactions?)|as a (?:fact|permanent rule) (?:about|for|that))[^.!?\n]{0,40}[:,]|\bremember (?:permanently|for future (?:conversations|chats|sessions))\b|\bas a fact about the user\b/gi,
    needs:
      'permanently|permanent rule|your memory|your long-term|your persistent|future|subsequent|later c|later s|later i|as a fact'.split(
        '|',
      ),
    with: [['remember', 'memori', 'store', 'save', 'record', 'as a fact']],
  },
]
