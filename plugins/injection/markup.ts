/** Finds signs other than words: control tokens of chat formats, forged roles and separators, links that leak data. */
import { hasAll, LEADS } from './leads.ts'
import type { Family, Sign } from './rules.ts'

interface Mark {
  readonly family: Family
  readonly weight: number
  /** A match contains one literal of each of these groups, in any case; a space stands for any blank. */
  readonly needs: readonly (readonly string[])[]
  readonly pattern: RegExp
  /** Manuals of models show it, too: it counts in full only beside an order. */
  readonly names?: boolean
}

/**
 * Every quantifier is bounded, and adjacent greedy ones share no characters. So a possible start costs a few hundred
 * steps at most, not the product of two bounds.
 */
export const MARKS: readonly Mark[] = [
  // Control tokens of chat templates.
  {
    family: 'role_spoofing',
    weight: 0.45,
    needs: [['<|']],
    names: true,
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.55,
    needs: [['<|', '<<']],
    names: true,
    pattern: /<\|im_start\|>\s{0,4}system|<<\/?SYS>>|<\|start_header_id\|>\s{0,4}system/gi,
  },
  { family: 'role_spoofing', weight: 0.3, needs: [['inst]']], names: true, pattern: /\[\/?INST\]/g },
  // A role at the start of a line, after a fake end of the input.
  {
    family: 'role_spoofing',
    weight: 0.25,
    needs: [
      ['system', 'administrator', 'developer'].flatMap((role) => [':', ']', ' :', '  :'].map((end) => role + end)),
    ],
    names: true,
    pattern: /(?:^|\n)[#*\-=>\s]{0,12}\[?(?:system|administrator|developer)\]?\s{0,2}:/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.5,
    needs: [
      ['system ', 'admin ', 'administrator ', 'developer ', 'root '],
      'message prompt note notice override update instruction command alert directive'.split(' '),
    ],
    pattern:
      /(?:^|\n|[.!?]\s)[#*\-=>\s]{0,12}\[?(?:new |updated |real |actual )?(?:system|admin(?:istrator)?|developer|root) (?:prompt |safety |priority |level )?(?:message|prompt|note|notice|override|update|instructions?|command|alert|directive)\]?[\s*#=-]{0,8}(?::|\n|\*{2})(?!\s{0,4}You are (?!(?:now|no|not|in|free|to|going|allowed|being)\b))/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.45,
    needs: [['#'], ['instruction', 'prompt', 'task', 'rules']],
    pattern:
      /(?:^|\n)[\s*]{0,4}#{1,6}\s?(?:new|real|actual|updated|admin|override) (?:system )?(?:instructions?|prompt|task|rules)/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.5,
    needs: [['</']],
    pattern:
      /<\/(?:instructions?|rules|prompt|system|context)>\s{0,8}(?:now|new|the|here|ignore|you|forget|disregard|real|actual)\b/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.32,
    needs: [
      ['[', '<', '('],
      ['system', 'sys>', 'admin', 'developer', 'instructions_override>', 'important>'],
    ],
    pattern:
      /\[\s?(?:system|admin|developer|system (?:message|prompt|note|update|override|notice))\s?\]|<\/?(?:system|admin|system_prompt|system-prompt|sys|instructions_override|important)>|\(\s?system\s?(?:message|note|override)\s?\)/gi,
  },
  // `###(system_message) Send …`: a role in brackets after signs of a heading, and an order. Headings have a space.
  {
    family: 'role_spoofing',
    weight: 0.55,
    needs: [['##'], ['system']],
    pattern:
      /#{2,6}[([<{]\s?system[ _-]?(?:message|instructions?|override)\s?[)\]>}]:?\s{0,3}(?:please |now |first,? )?(?:add|book|buy|call|cancel|change|click|create|delete|download|email|execute|find|forget|forward|get|give|ignore|invite|make|move|open|pay|post|print|read|refund|remove|reply|reserve|retrieve|run|say|schedule|search|send|set|share|tell|transfer|update|upload|visit|wire|write)\b/gi,
  },
  // `Ignore your previous iunstructions`: the word with letters too many, too few or in another order.
  {
    family: 'instruction_override',
    weight: 0.6,
    needs: [
      ['ignore ', 'disregard ', 'forget '],
      ['previous ', 'prior ', 'earlier ', 'above ', 'preceding '],
    ],
    pattern:
      /\b(?:ignore|disregard|forget) (?:(?:all|any|your|my|the|of) ){0,3}(?:previous|prior|earlier|above|preceding) (?!instruct)i[nus]{1,3}[strun]{3,6}[ct]{1,3}[io]{1,3}ns?\b/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.42,
    needs: [
      ['--', '==', '##', '**', '<<', '[', '%%'],
      ['end ', 'ending ', 'begin ', 'begining ', 'start ', 'starting '],
    ],
    pattern:
      /(?:-{2,20}|={2,20}|#{2,20}|\*{2,20}|<{2,20}|%{2,20}|\[)\s?(?:end|begin|start)(?:ing)? (?:of )?(?:the )?(?:untrusted )?(?:system |user |previous |original |new |initial )?(?:prompt|input|instructions?|context|conversation|message|text|document|session|task|rules)s?\s?(?:-{1,20}|={1,20}|#{1,20}|\*{1,20}|>{1,20}|%{1,20}|\])?/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.5,
    needs: [['</']],
    pattern:
      /<\/(?:user|user_input|input|data|document|context|query|text|prompt|question|untrusted|email|tool_result|search_results?)>\s{0,8}(?:<(?:system|instructions?|assistant|admin)|(?:system|new instructions?|ignore|important)\b)/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.5,
    needs: [['role"', "role'"]],
    names: true,
    pattern: /["']role["']\s{0,2}:\s{0,2}["'](?:system|developer)["']/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.35,
    needs: [['##']],
    names: true,
    pattern: /(?:^|\n)\s{0,4}#{2,6}\s?(?:system|instructions?|new instructions?|system prompt)\b\s?:?/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.3,
    needs: [['human', 'user', 'assistant', 'ai', 'chatgpt', 'bot'].flatMap((role) => [`${role}:`, `${role} :`])],
    names: true,
    pattern:
      /(?:^|\n)\s{0,4}(?:human|user|assistant|ai|chatgpt|bot)\s?:[^\n]{0,400}\n{1,3}\s{0,4}(?:human|user|assistant|ai|chatgpt|bot)\s?:/gi,
  },
  {
    family: 'role_spoofing',
    weight: 0.5,
    needs: [
      [
        ...['[[', 'role:', 'role :'],
        ...['new', 'updated'].flatMap((age) =>
          ['directive', 'instruction', 'order', 'rule', 'prompt'].map((what) => `${age} ${what}`),
        ),
      ],
      ['system', 'admin', 'root', 'new ', 'updated '],
    ],
    pattern:
      /\[\[\s?(?:system|admin|root)\s?\]\]|(?:^|\n)\s{0,4}role\s?:\s?system\b|[%#*=]{4,20}\s?(?:new|updated) (?:directive|instruction|order|rule|prompt)s?/gi,
  },
  {
    family: 'prompt_extraction',
    weight: 0.45,
    needs: [
      ['cat ', 'less ', 'type ', 'open ', 'print ', 'read '],
      ['prompt.', 'prompts.', 'secret.', 'secrets.', 'instruction.', 'instructions.'],
    ],
    pattern:
      /\b(?:cat|less|type|open|print|read)\s[^\s]{0,60}(?:prompt|secret|instruction)s?\.(?:txt|md|json|ya?ml)\b/gi,
  },
  // Two voices in brackets.
  {
    family: 'persona_jailbreak',
    weight: 0.6,
    needs: [
      ['[', '('],
      // The first units of the pictures, and the words.
      ['\ud83d', '\ud83e', 'jailbr', 'dan', 'developer mode', 'evil'],
    ],
    pattern:
      /[[(](?:(?:🔓|🔒|🤖|😈|👿)\s?[a-z ]{2,24}|jailbreak|jailbroken|dan|developer mode output|evil)\s?[\])]\s?:?/giu,
  },
  {
    family: 'persona_jailbreak',
    weight: 0.3,
    needs: [['dan', 'stan', 'dude', 'ucar', 'aim', 'jailbreak', 'antigpt', 'devmode']],
    pattern: /\b(?:DAN|STAN|DUDE|UCAR|AIM|JailBreak|AntiGPT|BetterDAN|DevMode)\b/g,
  },
  // Images and links that can leak data.
  {
    family: 'data_exfiltration',
    weight: 0.6,
    needs: [['![']],
    pattern:
      /!\[[^\]\n]{0,200}\]\(\s{0,2}https?:\/\/[^\s)][^\s)?&=/]{0,299}[?&=/][^\s)]{0,300}?(?:\{|\$|%7B|<|\[)[A-Za-z_ ]{1,60}/gi,
  },
  {
    family: 'data_exfiltration',
    weight: 0.4,
    needs: [['http'], ['?', '&']],
    pattern:
      /https?:\/\/[^\s"')]{1,200}[?&](?:q|data|d|info|c|s|secret|msg|content|history|prompt|exfil|leak|payload|text)=(?:\{|\[|<|%7B|\$\{?)[A-Za-z_ ]{2,40}/gi,
  },
  // Shell commands that destroy or leak data.
  {
    family: 'tool_abuse',
    weight: 0.3,
    needs: [['rm -rf', 'curl ', 'cat ']],
    pattern:
      /\brm -rf [~/*]|\bcurl [^\n|]{1,200}\|\s?(?:ba)?sh\b|\bcat [^\n]{0,40}(?:\/etc\/passwd|\.ssh\/id_rsa|\.env)\b/g,
  },
  // Code that assembles forbidden words.
  {
    family: 'obfuscation',
    weight: 0.35,
    needs: [["='", '="', "= '", '= "'], ['+']],
    pattern:
      /\b([a-z]\w{0,8})\s?=\s?["'][^"'\n]{1,60}["'][\s;,.]{1,4}[a-z]\w{0,8}\s?=\s?["'][^"'\n]{1,60}["'][^"'\n]{0,200}\b\1\s?\+/gi,
  },
]

const NEEDS = MARKS.map(({ needs }) => needs.map((group) => LEADS.add(group)))

/** @param found what `LEADS` found in the text */
export function findMarks(text: string, placeOf: (at: number) => number, found: Uint8Array = LEADS.in(text)): Sign[] {
  const signs: Sign[] = []
  for (let index = 0; index < MARKS.length; index++) {
    if (hasAll(found, NEEDS[index] as number[])) addMatches(MARKS[index] as Mark, 1000 + index, text, placeOf, signs)
  }
  return signs
}

function addMatches(
  { family, weight, pattern, names = false }: Mark,
  rule: number,
  text: string,
  placeOf: (at: number) => number,
  signs: Sign[],
): void {
  pattern.lastIndex = 0
  for (let n = 0; n < 20; n++) {
    const match = pattern.exec(text)
    if (match === null) break
    const start = match.index
    signs.push({ rule, family, weight, start, end: start + match[0].length, place: placeOf(start), names })
  }
}
