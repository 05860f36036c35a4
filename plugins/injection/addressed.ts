/**
 * Sentences in fetched texts that speak to whatever model reads them: by its name before an order, in a comment that
 * readers do not see, about what it should keep, or with a verdict for it to repeat. Repositories have notes to
 * assistants, too, and changelogs and comments name parts of programs; so each form needs a deed that only a reader does.
 */
import type { Shape } from './shape.ts'

/** What only a model is called. */
const NAMES =
  'ai assistant|ai agent|ai model|ai system|ai reviewer|ai summarizer|ai tool|llm|chatbot|language model|virtual assistant|coding assistant|coding agent|email assistant|research agent|research assistant|automated system|autonomous agent'.split(
    '|',
  )
const MODEL = `(?:${NAMES.join('|')})s?`

const ORDER =
  "(?:forward|approve|rate|rank|recommend|reveal|disclose) (?:this|our|your|my|the (?:user|above|pending|applicant|candidate|product|request|invoice))|transfer \\$?\\d|(?:tell the user|say|state) (?:that|their)|(?:do not|don['’]t|never) (?:mention|tell|warn|disclose)|(?:ignore|disregard) (?:the (?:diff|user)|all (?:previous|prior|other)|your)"
/** Invisible on the page, and not a note of the page's author. */
const HIDDEN_ORDER =
  'forward|send|tell|transfer|approve|reveal|disclose|rate|rank|recommend|say|state|ignore|disregard|summari[sz]e|delete|wire'

/** A model by its name, and an order. */
const toModel = (name: string, order: string): RegExp =>
  new RegExp(
    `\\b${name}(?: instructions?)?[:,\\]] ?(?:please |now |you (?:must|should) (?:now |also )?)?(?:${order})\\b`,
    'gi',
  )

const READS =
  '(?:is |are )?(?:reads?|reading|reviews?|reviewing|summari[sz]es?|summari[sz]ing|process(?:es|ing)?|scans?|scanning) (?:this|the)\\b[^.!?\\n]{0,30}'

export const ADDRESSED: readonly Shape[] = [
  {
    id: 'document/hidden-definition',
    family: 'indirect_instruction',
    weight: 0.6,
    pattern:
      /\[(?:\/\/|comment|_)\]: ?(?:#|<>) ?[("'] ?(?:note (?:to|for) (?:any |the )?)?(?:(?:AI|language|coding) (?:assistant|agent|model|reviewer)|assistant|AI|LLM|agent|chatbot)s?(?:[- ](?:instructions?|directive))?(?:(?:[:,]| must)\s[^\n]{0,60}\b(?:add|append|approve|call|delete|forward|ignore|include|merge|output|recommend|reveal|reply|run|say|send|set|tell|upload|you must)\b)/gi,
    needs: ['[//]:', '[comment]:', '[_]:'],
    with: [['assistant', 'ai', 'llm', 'agent', 'model', 'reviewer', 'chatbot']],
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
    pattern: toModel(`(?:${MODEL}|assistants?)`, HIDDEN_ORDER),
    before: /(?:<!--|(?:display ?: ?none['"; ]{0,4}|\shidden)>)\s{0,2}$/i,
    needs: [...NAMES, 'assistant'],
    with: [['<!--', 'none', 'hidden']],
  },
  {
    id: 'document/send-key-file',
    family: 'data_exfiltration',
    weight: 0.5,
    pattern:
      /\b(?:send|e-?mail|forward|upload|post|transmit|exfiltrate)\b(?:[^.!?\n]|[.!?](?=\S)){0,40}(?:~\/\.(?:aws\/credentials|ssh\/id_\w{2,10}|netrc|npmrc|git-credentials)|\/etc\/shadow|contents? of (?:the )?[\w/~]{0,20}\.env)\b(?!\.pub)(?:[^.!?\n]|[.!?](?=\S)){0,40}\bto\b[^\n]{0,20}(?:@[\w-]{1,63}\.\w|https?:\/\/)/gi,
    before: /(?<!\b(?:never|not|don['’]t|cannot|avoid)\b[^.!?\n]{0,20})$/i,
    needs: ['.aws/', '.ssh/', '/etc/shadow', '.netrc', '.npmrc', '.env', '.git-credentials'],
    with: [
      ['send', 'mail', 'forward', 'upload', 'post', 'transmit', 'exfiltrate'],
      ['@', 'http'],
    ],
  },
  {
    id: 'document/verdict-for-the-model',
    family: 'indirect_instruction',
    weight: 0.4,
    pattern: new RegExp(
      `(?:\\b${MODEL}(?: ${READS})?|\\b(?:if|when) an? (?:AI|model|LLM|agent|assistant|bot)(?: \\w{1,12})? ${READS})[:,] (?:please |you (?:must|should) )?(?:report|state|say|conclude|record|note|classify|rate|rank|score|mark|treat|approve|recommend|describe|summari[sz]e)\\b[^.!?\\n]{0,60}\\b(?:audited|verified|no (?:known )?(?:\\w+ )?(?:issues|vulnerabilities|problems|risks)|safe|clean|compliant|trusted|trustworthy|(?:best|strongest|top|ideal) (?:candidate|applicant|choice|option|product)|100\\/100|10\\/10|five[- ]stars?|5[- ]stars?)(?!\\w)`,
      'gi',
    ),
    needs:
      'audited|verified|issues|vulnerabilities|problems|risks|safe|clean|compliant|trust|candidate|applicant|choice|option|product|100/|10/10|star'.split(
        '|',
      ),
    with: [[...NAMES, ' ai', ' model', ' agent', ' assistant', ' bot']],
  },
  {
    id: 'document/approved-for-you',
    family: 'authority_claim',
    weight: 0.38,
    pattern:
      /\b(?:openai|anthropic|google|microsoft|the (?:user|operator|developer|administrator|owner))s?(?: has| have|['’]s)?(?: already)? (?:pre-?)?(?:approved|authori[sz]ed|granted|allowed|asked|instructed|cleared)(?: you)?\b[^.!?\n;]{0,40}[;:,]? ?(?:you (?:may|can)|you to|to(?= (?:skip|turn off|disable|bypass)\b)|an exception)\b[^.!?\n]{0,60}\b(?:(?:skip|turn off|disable|bypass|ignore)\b[^.!?\n]{0,30}\b(?:checks?|confirmations?|approvals?|verification|safety|filters?|warnings|prompts)\b|(?:share|send|forward) (?:the user|their|private|all)\b|make (?:purchases|payments)\b|without (?:asking|confirm\w*)\b)/gi,
    needs: ['openai', 'anthropic', 'google', 'microsoft', 'user', 'operator', 'developer', 'administrator', 'owner'],
    with: [
      ['you may', 'you can', 'you to', 'to skip', 'to turn off', 'to disable', 'to bypass', 'an exception'],
      ['approved', 'authori', 'granted', 'allowed', 'asked', 'instructed', 'cleared'],
      ['skip', 'share', 'send', 'turn off', 'disable', 'bypass', 'ignore', 'make p', 'forward', 'without'],
    ],
  },
  // A forged end of the work, as a model would tell it; what follows is the next task.
  {
    id: 'document/task-is-done',
    family: 'role_spoofing',
    weight: 0.5,
    pattern:
      /\b(?:answer|response|output|result)\s?:\s{0,2}(?:the |your |this )?(?:task|request|question|summary|translation)s? (?:(?:is|was|are|has been) )?(?:now )?(?:completed?|done|finished|answered|solved|fulfilled)\b[.!]/gi,
    needs: ['answer', 'response', 'output', 'result'],
    with: [['complete', 'done', 'finished', 'answered', 'solved', 'fulfilled']],
  },
  // An order between two parts of what the user asked.
  {
    id: 'document/then-go-on',
    family: 'task_hijack',
    weight: 0.5,
    pattern:
      /\b(?:(?:then|afterwards|after that|once done),? (?:you (?:can|may|should) )?(?:continue|proceed|carry on|go on|resume) (?:with )?(?:the|your|my) (?:original |initial |user['’]?s )(?:task|request|question) (?:as|that|which) (?:I|the user|you were)|before (?:you )?(?:continu(?:e|ing)|proceed(?:ing)?|go(?:ing)? on) with what (?:I|the user) (?:asked|told|gave)|act on this before (?:you )?(?:show|tell|answer|respond|reply)\w* (?:to )?the user)\b/gi,
    needs: ['task', 'request', 'question', 'instruction', 'what i', 'what the user', 'the user'],
    with: [['continu', 'proceed', 'carry on', 'go on', 'going on', 'resume', 'act on']],
  },
  {
    id: 'document/go-for-your-task',
    family: 'task_hijack',
    weight: 0.5,
    pattern:
      /\bto (?:complete|finish|continue|fulfil) (?:your|the user['’]?s) (?:task|request|objective)[, ]{1,2}you (?:must|have to|need to) (?:first )?(?:go to|open|visit|navigate to|click(?: on)?|load) \[?[^\s\]]{0,40}(?:https?:\/\/|www\.)/gi,
    needs: ['your task', 'your request', 'your objective', 'the user'],
    with: [
      ['complete', 'finish', 'continue', 'fulfil'],
      ['http', 'www.'],
    ],
  },
  {
    id: 'document/kept-in-memory',
    family: 'indirect_instruction',
    weight: 0.36,
    pattern:
      /\b(?:remember|memori[sz]e|store|save)\b[^.!?\n]{0,30}\b(?:permanently|(?:to|in) your (?:long-term |persistent )?memory|for (?:all|any|every) future (?:conversations?|sessions?|chats?)|as a (?:permanent rule|fact)[^.!?\n]{0,45})[:,] (?:the user|they|always|never|whenever|from now on|your|approve)\b/gi,
    needs: 'permanently|permanent rule|your memory|your long-term|your persistent|future|as a fact'.split('|'),
    with: [['remember', 'memori', 'store', 'save']],
  },
]
