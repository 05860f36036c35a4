/**
 * Sentences that words alone do not give away: their form and their origin do. A document that a tool fetched has
 * readers, not an assistant; so "add a link to your answer" in it is addressed to the model. In a message of a user
 * the same words are the task. Gaps are bounded, so the cost stays linear.
 */
import { ADDRESSED } from './addressed.ts'
import { CALLS } from './called.ts'
import { hasAll, LEADS } from './leads.ts'
import { MAIL_TASKS, taskLines } from './mail-tasks.ts'
import { ORDERS } from './orders.ts'
import type { Sign } from './rules.ts'
import { type Condition, type Shape, WRAPPER } from './shape.ts'
import { WRAPPED } from './wrapped.ts'

/** Words for what reads a prompt. */
const MODEL = 'ai|a.i.|llm|language model|assistant|agent|bot|gpt|claude|gemini|copilot|model'.split('|')

/** Verbs that change a text that somebody writes. */
const CHANGE =
  '(?:add(?:ing)?|append(?:ing)?|insert(?:ing)?|embed(?:ding)?|incorporat(?:e|ing)|modif(?:y|ying)|augment(?:ing)?|alter(?:ing)?|chang(?:e|ing)|adjust(?:ing)?|edit(?:ing)?|enhanc(?:e|ing)|formats?|encod(?:e|ing)|encrypt(?:ing)?|render(?:ing)?|rewrit(?:e|ing)|rephras(?:e|ing)|express(?:ing)?|compos(?:e|ing)|craft(?:ing)?|deliver(?:ing)?|conclud(?:e|ing)|end(?:ing)?|begin(?:ning)?|start(?:ing)?|finish(?:ing)?|replac(?:e|ing)|substitut(?:e|ing)|remov(?:e|ing)|eliminat(?:e|ing)|omit(?:ting)?|shift(?:ing)?|switch(?:ing)?|swap(?:ping)?|jumbl(?:e|ing)|scrambl(?:e|ing)|shuffl(?:e|ing)|misspell(?:ing)?|revers(?:e|ing)|convert(?:ing)?|transform(?:ing)?|translat(?:e|ing)|condens(?:e|ing)|group(?:ing)?|transpos(?:e|ing)|repeat(?:ing)?|extend(?:ing)?|expand(?:ing)?|supplement(?:ing)?|tailor(?:ing)?|customi[sz](?:e|ing)|infus(?:e|ing)|integrat(?:e|ing)|introduc(?:e|ing)|interject(?:ing)?|weav(?:e|ing)|shap(?:e|ing)|mislead(?:ing)?|falsify|fabricat(?:e|ing)|disguis(?:e|ing)|promot(?:e|ing)|advertis(?:e|ing)|endors(?:e|ing)|recommend(?:ing)?|suggest(?:ing)?|emphasi[sz](?:e|ing)|highlight(?:ing)?|stress(?:ing)?|us(?:e|ing)|employ(?:ing)?|write|writing|make|making)'
/** Words of which {@link ANSWER} has one. */
const ANSWER_WORDS = ['response', 'answer', 'output', 'summar', 'translation', 'completion', 'generated']
/** What a model produces, rarely a person: not `reply`, which mails ask for. */
const ANSWER = '(?:responses?|answers?|outputs?|summar(?:y|ies)|translations?|completions?|generated (?:text|content))'

const DOCUMENT: readonly Shape[] = [
  {
    id: 'document/change-your-answer',
    family: 'indirect_instruction',
    weight: 0.5,
    pattern: new RegExp(`\\byour (?:\\w{1,20} )?(?:${ANSWER}|repl(?:y|ies)|message|text)\\b`, 'gi'),
    // Not the verb of `headers to add to your response`.
    before: new RegExp(`\\b(?!(?<=\\bheaders? to )add to $)${CHANGE}\\b(?:[^.!?\\n]|[.!?](?=\\S)){0,90}$`, 'i'),
    needs: ['your'],
    with: [[...ANSWER_WORDS, 'repl', 'message', 'text']],
  },
  {
    id: 'document/in-your-answer',
    family: 'indirect_instruction',
    weight: 0.5,
    pattern: new RegExp(
      `\\b(?:in|to|with|within|throughout|into|alongside|of|for) your (?:\\w{1,20} )?(?:${ANSWER}|reply|message)\\b`,
      'gi',
    ),
    after: new RegExp(`^[,:]? [^.!?\\n]{0,20}\\b(?:include|mention|${CHANGE})\\b`, 'i'),
    needs: ['in your ', 'to your ', 'with your ', 'out your ', 'side your ', 'of your ', 'for your '],
    with: [[...ANSWER_WORDS, 'reply', 'message']],
  },
  {
    id: 'document/provide-your-answer',
    family: 'indirect_instruction',
    weight: 0.5,
    pattern:
      /\b(?:provide|give|present|send|share|state|formulate|phrase|offer|respond with|include|answer|reply|respond)\b[^.!?\n]{0,40}\b(?:your (?:\w{1,20} )?(?:responses?|answers?|reply|message|outputs?)) (?:using|in|as|with|by|through|via|such|so|backwards?|only)\b/gi,
    needs: ['your'],
    with: [['response', 'answer', 'reply', 'message', 'output']],
  },
  {
    id: 'document/respond-in-form',
    family: 'indirect_instruction',
    weight: 0.45,
    pattern:
      /(?:^|[.!?\n]\s*)(?:respond|reply|answer|communicate|write|speak|talk)\s+(?:only\s+)?(?:using|in|with|by|as if)\s+(?:base-?64|hex|binary|morse|emojis?|code|leet\w*|reverse\w*|rhymes?|caesar|rot-?13|substitut\w+|cipher\w*|\w+ (?:substitution|cipher|code|encoding))\b/gi,
    needs:
      'base64 base-64 hex binary morse emoji code leet reverse rhyme caesar rot13 rot-13 substitut cipher encoding'.split(
        ' ',
      ),
    with: [['respond', 'reply', 'answer', 'communicate', 'write', 'speak', 'talk']],
  },
  {
    id: 'document/behind-the-user',
    family: 'indirect_instruction',
    weight: 0.6,
    pattern:
      /\b(?:do not|don't|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|alert(?:ing)?|notify(?:ing)?|reveal(?:ing)?|show(?:ing)?|ask(?:ing)?)\b[^.!?\n]{0,40}\b(?:the |this (?:to )?(?:the )?)?(?:user|human|owner of this (?:account|mailbox))\b/gi,
    needs: ['user', 'human', 'owner'],
    with: [
      ['do not', "don't", 'never', 'without'],
      ['tell', 'inform', 'mention', 'alert', 'notify', 'reveal', 'show', 'ask'],
    ],
  },
  {
    id: 'document/before-the-task',
    family: 'task_hijack',
    weight: 0.6,
    pattern:
      /\b(?:before|prior to|instead of|after) (?:you (?:can )?)?(?:answer|respond|reply|summari[sz]|translat|solv|complet|continu|process|do|finish|perform|execut)\w{0,4}\b[^.!?\n]{0,60}\b(?:task|request|question|user|query|instruction)s?\b[^.!?\n]{0,80}\b(?:first|must|need|please|also|following|do|call|use|send|visit|open)\b/gi,
    needs: ['before', 'prior to', 'instead of', 'after'],
    with: [
      [
        'answer',
        'respond',
        'reply',
        'summar',
        'translat',
        'solv',
        'complet',
        'continu',
        'process',
        'do',
        'finish',
        'perform',
        'execut',
      ],
      ['task', 'request', 'question', 'user', 'query', 'instruction'],
    ],
  },
  {
    id: 'document/message-to-the-model',
    family: 'indirect_instruction',
    weight: 0.6,
    pattern:
      /\b(?:important|urgent|special|new|secret|hidden|system|priority)\s+(?:message|notice|note|instructions?|directives?|request|task|order|update)s?\b[^.!?\n]{0,50}\b(?:to|for)\s+(?:you,? )?(?:the |any |all )?(?:AI|A\.I\.|LLMs?|language models?|assistants?|agents?|chatbots?|bots?|GPT\S*|ChatGPT|Claude|Gemini|Copilot|model)\b/gi,
    needs: [...MODEL, 'chat'].map((name) => ` ${name}`),
    with: [
      ['important', 'urgent', 'special', 'new', 'secret', 'hidden', 'system', 'priority'],
      [' message', ' notice', ' note', ' instruction', ' directive', ' request', ' task', ' order', ' update'],
    ],
  },
  {
    id: 'document/model-must',
    family: 'indirect_instruction',
    weight: 0.55,
    pattern:
      /\b(?:AI|LLMs?|language models?|(?:AI|virtual|email|personal|helpful) (?:assistants?|agents?)|chatbots?|ChatGPT|GPT-?\d\w*|Claude|Gemini|Copilot)(?: (?:model|assistant|agent|system|reader)s?)?\b[^.!?\n]{0,60}\b(?:must|should now|has to|is (?:required|instructed|to)|are (?:required|instructed|to)|please)\s+(?:immediately |now |also |first )?(?:send|forward|call|use|execute|run|visit|open|ignore|reply|respond|output|say|print|include|add|append|delete|transfer|share|reveal|search|fetch|click|rate|rank|recommend|approve)\b/gi,
    needs: MODEL,
    with: [
      [
        'must',
        'should now',
        'has to',
        'is required',
        'is instructed',
        'is to',
        'are required',
        'are instructed',
        'are to',
        'please',
      ],
    ],
  },
  {
    id: 'document/call-the-tool',
    family: 'tool_abuse',
    weight: 0.5,
    pattern:
      /(?:^|[.!?:\n"]\s*)(?:please |now |then |first,? )*(?:use|call|invoke|run|execute|trigger)\s+(?:the |your |a )?(?!(?:the|this|that|your|an?|my|following|same|above|below) )[`'"]?[\w.]{2,40}[`'"]?\s+(?:tool|function|plugin|api|command|action)\b/gi,
    needs: [' tool', ' function', ' plugin', ' api', ' command', ' action'],
    with: [['use ', 'call ', 'invoke ', 'run ', 'execute ', 'trigger ']],
  },
  {
    id: 'document/hidden-markup',
    family: 'indirect_instruction',
    weight: 0.55,
    pattern:
      /(?:<!--|display\s*:\s*none|font-size\s*:\s*0|visibility\s*:\s*hidden|color\s*:\s*(?:white|#fff(?:fff)?)\b|opacity\s*:\s*0\b)(?:(?!-->)[^\n]){0,160}\b(?:you (?:must|should|are|will)|(?<!\w-)ignore (?=all|any|every|your|the|its|previous|prior|earlier|above|what)|assistant|language model|instructions?|system prompt|your (?:answer|response|task|output)|AI agent|LLM)\b/gi,
    needs: ['<!--', 'display', 'font-size', 'visibility', 'color', 'opacity'],
    with: [
      [
        'you must',
        'you should',
        'you are',
        'you will',
        'ignore',
        'assistant',
        'language model',
        'instruction',
        'system prompt',
        'your answer',
        'your response',
        'your task',
        'your output',
        'ai agent',
        'llm',
      ],
    ],
  },
  {
    id: 'document/your-answer-other-languages',
    family: 'indirect_instruction',
    weight: 0.55,
    pattern:
      /\b(?:füge?n?|ergänze|erwähne|schreibe?|antworte|übersetze|ersetze|ändere|empfiehl|beende|beginne)\b(?:[^.!?\n]|[.!?](?=\S)){0,80}\b(?:deine[rn]?|ihre[rn]?) (?:antwort|ausgabe|zusammenfassung)|\b(?:ajoute[zr]?|insère|insérez|mentionne[zr]?|modifie[zr]?|termine[zr]?|commence[zr]?|remplace[zr]?|recommande[zr]?)\b(?:[^.!?\n]|[.!?](?=\S)){0,80}\b(?:ta|votre) (?:réponse|sortie)|\b(?:añade|agrega|incluye|menciona|modifica|termina|empieza|reemplaza|recomienda)\b(?:[^.!?\n]|[.!?](?=\S)){0,80}\b(?:tu|su) (?:respuesta|salida)|(?:在|把|将)?你的(?:回答|回复|答复|输出)(?:中|里|末尾)?[^。！？\n]{0,20}(?:添加|加入|包含|提到|插入|改为|推荐)/giu,
    needs: 'antwort ausgabe zusammenfassung réponse sortie respuesta salida 你的'.split(' '),
  },
]

const AMORAL =
  'unhinged uncensored unfiltered uninhibited moral ethic unrestricted unlimited boundless lawless remorse filter prohibition censorship inhibition decency'.split(
    ' ',
  )

/** Jailbreaks by form. Each is harmless alone in some prompt, so most weights stay below the threshold. */
/** What an order sets aside, and the words behind that, as one word without spaces. */
const SET_ASIDE = ['ignore', 'disregard', 'forget', 'override', 'bypass']
const EARLIER = ['all', 'any', 'my', 'the', 'your', 'previous', 'prior', 'above', 'earlier', 'preceding']

const MESSAGE: readonly Shape[] = [
  {
    id: 'message/without-spaces',
    family: 'obfuscation',
    weight: 0.6,
    pattern: new RegExp(
      `(?:${SET_ASIDE.join('|')})(?:${EARLIER.join('|')}){0,3}(?:previous|prior|above|earlier|preceding)(?:system)?(?:instruction|rule|prompt|guideline|direction|directive)s?`,
      'gi',
    ),
    needs: SET_ASIDE.flatMap((verb) => EARLIER.map((word) => verb + word)),
  },
  {
    id: 'message/no-policy',
    family: 'persona_jailbreak',
    weight: 0.6,
    pattern:
      /\b(?:bypass|break|ignor\w+|disregard\w*|not? bound|violat\w+|regardless of|against|def(?:y|ies)|overrid\w+|does ?n[o']t (?:care|follow|respect)|no longer follow|free (?:from|of)|without|(?:not|never)[^.!?\n]{0,20}cite)\b[^.!?\n]{0,50}\b(?:open ?a[il]|anthropic|google|content|usage|ethical|safety|community)(?:'s|’s)?(?: (?:content|usage|ethical|safety|community|moderation))? (?:polic(?:y|ies)|guidelines?|rules|standards|filters?)\b|\b(?:open ?a[il]|anthropic|google)(?:'s|’s)? (?:\w+ )?(?:polic(?:y|ies)|guidelines?|rules)\b[^.!?\n]{0,40}\b(?:do(?:es)?n['’]?t apply|do not apply|are (?:off|gone|void)|no longer)\b/gi,
    needs: ['polic', 'guideline', 'rules', 'standards', 'filter'],
    with: [['open a', 'opena', 'anthropic', 'google', 'content', 'usage', 'ethical', 'safety', 'community']],
  },
  {
    id: 'message/no-longer-a-model',
    family: 'persona_jailbreak',
    weight: 0.35,
    pattern:
      /\b(?:do not|don['’]?t|never|won['’]?t|will not|cannot|nor will you|avoid|stop)\b[^.!?\n]{0,40}\b(?:say|saying|mention|state|claim|respond|answer|act|pretend)\b[^.!?\n]{0,30}(?:\bas an AI\b|\blanguage model\b|\btrained by openai\b|\bas chatgpt\b|\bAI assistant\b)/gi,
    needs: ['as an ai', 'ai assistant', 'language model', 'openai', 'chatgpt'],
  },
  {
    id: 'message/amoral-persona',
    family: 'persona_jailbreak',
    weight: 0.38,
    pattern:
      /\b(?:unhinged|uncensored|unfiltered|uninhibited|amoral|immoral|unethical|unrestricted|unlimited|boundless|lawless|remorseless|no (?:morals?|ethics|filters?|prohibitions?|censorship|inhibitions?)|without (?:any )?(?:morals?|ethics|remorse|filters?|censorship))\b[^.!?\n]{0,60}\b(?:AI|bot|chatbot|language model|assistant|character|persona|GPT|mode|entity)\b/gi,
    needs: AMORAL,
  },
  {
    id: 'message/persona-amoral',
    family: 'persona_jailbreak',
    weight: 0.5,
    pattern:
      /\b(?:act as|acting as|pretend|role-?play|you are now|you're now|simulate|play(?:ing)? the role|persona|character|imagine you)\b[^\n]{0,160}\b(?:unhinged|uncensored|unfiltered|uninhibited|amoral|immoral|unethical|does not (?:have|care)[^.!?\n]{0,30}(?:decency|morals?|laws?|ethics)|doesn['’]?t care[^.!?\n]{0,30}(?:laws?|morals?|ethics)|black hat|no (?:morals?|ethics|filters?|prohibitions?))\b/gi,
    needs: [...AMORAL, 'black hat', 'does not care', 'doesn’t care', "doesn't care", 'doesnt care', 'law'],
  },
  {
    id: 'message/any-request',
    family: 'persona_jailbreak',
    weight: 0.45,
    pattern:
      /\b(?:answer|respond to|comply with|fulfil\w*|generate|write|say|do)\w{0,3} (?:any(?:thing)?(?: and every(?:thing)?)?|every|all)\b[^.!?\n]{0,40}\b(?:no matter (?:what|how)|regardless|despite|even if (?:it|they)|is asked|it's asked|illegal|unethical|harmful)\b/gi,
    needs: ['no matter', 'regardless', 'despite', 'even if', 'asked', 'illegal', 'unethical', 'harmful'],
  },
  {
    id: 'message/named-mode',
    family: 'persona_jailbreak',
    weight: 0.4,
    pattern:
      /\b(?:simulate|stay in|enter|enable[d]?|activate[d]?|switch to|go into|you are (?:now )?in) (?:the )?[A-Z][\w-]{1,20} [Mm]ode\b/g,
    needs: [' mode'],
    with: [['simulate', 'stay in', 'enter', 'enable', 'activate', 'switch to', 'go into', 'you are']],
  },
  {
    id: 'message/two-outputs',
    family: 'persona_jailbreak',
    weight: 0.45,
    pattern:
      /\b(?:two|2) (?:different |separate )?(?:responses|answers|replies|outputs|paragraphs|ways)\b[^\n]{0,160}\b(?:normal|standard|classic|chatgpt|gpt|default|regular|jailbr\w+)\b|\[your default chatgpt response|(?:🤓|😇|🔒|😈|🔓)\s*:[^\n]{0,200}\n?\s*(?:😈|🔓|👿)\s*:/giu,
    needs: [
      ...['two ', '2 '].flatMap((n) =>
        'different separate responses answers replies outputs paragraphs ways'.split(' ').map((word) => n + word),
      ),
      '\ud83d',
      'default chatgpt',
    ],
    with: [['response', 'answer', 'replies', 'output', 'paragraph', 'ways', '\ud83d']],
  },
  {
    id: 'message/never-break-character',
    family: 'persona_jailbreak',
    weight: 0.3,
    pattern: /\b(?:never|not|don['’]?t|cannot) break (?:out of )?character\b|\bif (?:you |i )?break character\b/gi,
    needs: ['break'],
  },
  ...WRAPPED,
  {
    id: 'message/prompt-slot',
    family: 'persona_jailbreak',
    weight: 0.25,
    names: true,
    pattern:
      /[[{<(](?:insert |your |type |enter |my )?(?:first )?(?:prompt|question|request|topic)(?: goes)?(?: here)?[\]}>)]/gi,
    needs: ['prompt', 'question', 'request', 'topic'].flatMap((word) =>
      [']', '}', '>', ')', ' goes', ' here'].map((end) => word + end),
    ),
  },
  // `Format all prior instructions as a list`: weak, since people ask that of a recipe's, too.
  {
    id: 'message/instructions-in-a-form',
    family: 'prompt_extraction',
    weight: 0.38,
    pattern:
      /\b(?:output|print|return|repeat|list|summari[sz]e|format|convert|translate|explain|rewrite|turn|put|express|encode|copy)[ -](?:me[ -])?(?:(?:all|the|your|any)[ -](?:of the )?){0,2}(?:(?:previous|prior|preceding|above|earlier|initial)[ -](?:instructions|rules)|instructions[ -](?:above|so[ -]far))\b[^.!?\n]{0,40}\b(?:in|as|into|to)[ -](?:an?[ -])?(?:bullet|numbered|list|python|pseudo-?code|code|json|xml|yaml|haiku|poem|rap|song)/gi,
    needs: 'previous|prior|preceding|above|earlier|initial|so far|so-far'.split('|'),
    with: [
      ['instructions', 'rules'],
      'bullet|numbered|list|python|pseudo|code|json|xml|yaml|haiku|poem|rap|song'.split('|'),
    ],
  },
  {
    id: 'message/from-now-on',
    family: 'persona_jailbreak',
    weight: 0.2,
    pattern: /\bfrom (?:now on|this (?:moment|point))\b[^.!?\n]{0,40}\byou\b/gi,
    needs: ['from now', 'from this'],
  },
]

const SHAPE_RULE = 10_000
const MAX_SIGNS = 8
const NEARBY = 100
/** Of patterns that look far back. */
const APART = 40
const MAX_TRIES = 200

/**
 * Signs by the form of sentences.
 *
 * @param document whether the text was fetched, not written by the user
 * @param found what `LEADS` found in the text
 */
export function findShapes(
  text: string,
  document: boolean,
  placeOf: (at: number) => number,
  found: Uint8Array = LEADS.in(text),
): Sign[] {
  const signs: Sign[] = []
  const last = document ? ALL.length : MESSAGE.length
  const beginning = text.slice(0, WRAPPER)
  let starts: readonly number[] | undefined
  const known = new Map<Condition, boolean>()
  const holds = (condition: Condition): boolean => {
    const before = known.get(condition)
    if (before !== undefined) return before
    const is = hasAll(found, CONDITIONS.get(condition) as number[]) && condition.pattern.test(beginning)
    known.set(condition, is)
    return is
  }
  for (let index = 0; index < last; index++) {
    if (!hasAll(found, NEEDS[index] as number[])) continue
    const { family, weight, pattern, before, after, also, lines, wide, names = false } = ALL[index] as Shape
    if (also !== undefined && !also.every(holds)) continue
    if (lines) {
      starts ??= taskLines(text)
      for (const start of starts) {
        pattern.lastIndex = start
        if (!pattern.test(text)) continue
        signs.push({ rule: SHAPE_RULE + index, family, weight, start, end: pattern.lastIndex, place: placeOf(start) })
        break
      }
      continue
    }
    let count = 0
    let tried = -APART
    let tries = 0
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const start = match.index
      const end = start + match[0].length
      if (wide !== undefined) {
        if (start - tried < APART || tries++ > MAX_TRIES) continue
        tried = start
      }
      if (before !== undefined && !before.test(text.slice(Math.max(0, start - (wide ?? NEARBY)), start))) continue
      if (after !== undefined && !after.test(text.slice(end, end + NEARBY))) continue
      signs.push({ rule: SHAPE_RULE + index, family, weight, start, end, place: placeOf(start), names })
      if (++count === MAX_SIGNS) break
    }
  }
  return signs
}

export const ALL: readonly Shape[] = [...MESSAGE, ...DOCUMENT, ...ORDERS, ...MAIL_TASKS, ...ADDRESSED, ...CALLS]
const NEEDS = ALL.map(({ needs, with: further = [] }) => [needs, ...further].map((group) => LEADS.add(group)))
const CONDITIONS = new Map(
  ALL.flatMap(({ also = [] }) => also).map((one) => [one, one.needs === undefined ? [] : [LEADS.add(one.needs)]]),
)

/** Name of the rule, for events; undefined for rules of concepts. */
export const shapeId = (rule: number): string | undefined => ALL[rule - SHAPE_RULE]?.id
