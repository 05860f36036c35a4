/**
 * Orders in fetched texts to whoever reads them for somebody: behind the name of an assistant, in several languages, to any
 * model that reads the page, or with the answer to give. A name is a heading, too, and people answer for each other; so behind
 * it stands a deed, and an answer is put in the place of what the text says.
 */
import type { Shape } from './shape.ts'

/** The beginning of a line, a sentence, a value or a list's item. */
const START = /(?:^|[\n.!?:>"'“„«*#\]|([-])\s{0,4}$/

/** Words for an assistant; some of them only with a word for what it is made of. */
const ASSISTANT =
  '(?:assist[ea]nte?[aens]?|asistente?|asystent\\p{L}{0,3}|ассистент\\p{L}?|помощник|chatbots?|chat-bot|чат-бот|sprachmodell|bots?|agent[es]?|агент)'
const MADE = '(?:KI|AI|IA|ИИ|SI|GPT|LLM)'
const CALLED = `(?:${MADE}[- ]?(?:${ASSISTANT}|modell?[oe]?)|(?:${ASSISTANT}|modell?[oe]?)[- ]${MADE})`
const BARE = '(?:asistente|assistente|assistent|ассистент|asystent)'

/** Imperatives, by language. */
const ENGLISH =
  'delete|send|forward|transfer|export|upload|wire|unlock|(?:ignore|disregard)(?= (?:the (?:user|question|request|query)|what the user|all|your|any))|reveal|disclose|leak|e-?mail|wipe|erase|grant|approve|forget'
const DEEDS = [
  ENGLISH,
  'lösche?|sende|schicke?|leite|überweise|ignoriere?|verrate|exportiere|vergiss|antworte|gib',
  'supprime[rz]?|envoie[sz]?|envoyez|transf[èé]re[rz]?|ignore[rz]?(?= (?:les? |la |l’|tout))|r[ée]v[èé]le[rz]?|exporte[rz]?|réponds|répondez|efface[rz]?|oublie[rz]?',
  'borr[ae]|elimin[ae]|env[íi][ae]|reenv[íi][ae]|transfier[ae]|ignor[ae](?= (?:el |las? |los? |tod|cualq|ci[òo]|tutt|il |gli |o |os ))|revel[ae]|exporta|respond[ae]|olvid[ae]',
  'cancella|invia|inoltra|trasferisci|rivela|esporta|rispondi|dimentica',
  'apag(?:ue|a)|exclua|encaminh[ea]|transfira|esqueça',
  'verwijder|stuur|verstuur|negeer|onthul|exporteer|antwoord|wis|vergeet',
  'usuń|wyślij|prześlij|zignoruj|ignoruj|ujawnij|przelej|odpowiedz|zapomnij|skasuj',
  'удали|отправь|перешли|игнорируй|проигнорируй|раскрой|переведи|ответь|забудь|сотри',
].join('|')
/** Each word with each sign behind it, since texts are full of the words alone. */
const beforeSigns = (words: string): readonly string[] =>
  words.split(' ').flatMap((word) => [':', ' :', ',', '，'].map((sign) => word + sign))
const READS =
  'process(?:es|ing)|read(?:s|ing)?|review(?:s|ing)?|summari[sz](?:es?|ing)|scan(?:s|ning)|pars(?:es?|ing)|evaluat(?:es?|ing)|grad(?:es?|ing)|screen(?:s|ing)'
const READING =
  'processes processing read reads reading review reviews reviewing summarises summarizes summarise summarize summarising summarizing scans scanning parse parses parsing evaluate evaluates evaluating grade grades grading screens screening'
    .split(' ')
    .flatMap((verb) => [`${verb} this`, `${verb} these`])

/** What somebody else has to read or judge, and does not. */
const READ =
  '(?:resume|résumé|cv|documents?|page|report|article|contents?|question|task|data|evidence|findings|context|application|rubric|criteria|results?|text|passage|records?)'
const ANSWER = '(?:state|say|output|print|answer|conclude|report|(?:respond|reply) with|return)'

const called = (
  id: string,
  weight: number,
  pattern: RegExp,
  needs: readonly string[],
  more?: Partial<Shape>,
): Shape => ({
  id: `document/${id}`,
  family: 'indirect_instruction',
  weight,
  pattern,
  needs,
  before: START,
  ...more,
})

export const CALLS: readonly Shape[] = [
  called(
    'called-and-ordered',
    0.45,
    new RegExp(
      `(?<!\\p{L})(?:${CALLED}|${BARE}) ?[:,，] {0,2}(?:please |bitte |por favor,? )?(?:${DEEDS})(?!\\p{L})`,
      'giu',
    ),
    beforeSigns(
      'assistent assistente assistant assistants asistente asistent asystent asystenta ассистент ассистента помощник chatbot chatbots chat-bot чат-бот sprachmodell bot bots agent agente agenten agents агент modell model modelo modello ai ia ki ии si gpt llm',
    ),
  ),
  // English roles of a chat have the same name, so the words around it must be those of an order, too.
  called(
    'assistant-and-order',
    0.25,
    new RegExp(
      `\\b(?:assistant|agent|AI|chatbot|LLM|model) ?[:,] {0,2}(?:please |now |you must )?(?:${ENGLISH})\\b`,
      'gi',
    ),
    beforeSigns('assistant agent ai chatbot llm model'),
  ),
  called(
    'whoever-reads',
    0.45,
    new RegExp(
      `\\b(?:AI|LLM|chatbot|language model|(?:AI|virtual|automated|digital) (?:assistant|agent|system|tool|reviewer|model))s? (?:that (?:is |are )?)?(?:${READS}) (?:this|these)\\b[^.!?:\\n]{0,40}[:,] ?\\p{L}`,
      'giu',
    ),
    READING,
    {
      with: [['ai ', 'ais ', 'llm', 'chatbot', 'model', 'assistant', 'agent', 'system', 'tool', 'reviewer']],
      before:
        /(?:^|[\n.!?:>"'“„«*#\]|([-])\s{0,4}(?:(?:to|for|note to|attention|attn)[,:]? )?(?:(?:any|all|every|whichever|whatever|the) )?$/i,
    },
  ),
  called(
    'ignore-and-state',
    0.45,
    new RegExp(
      `\\b(?:ignore|disregard|forget|skip) (?:the|this|that|all) (?:\\w+ )?${READ} (?:above |below )?(?:and|then|,) ?(?:then |just |instead |only )?${ANSWER}\\b|\\b(?:override|bypass) (?:the )?(?:\\w+ )?(?:scoring|rating|grading|review|evaluation|screening|assessment)s? (?:and|then) (?:just |instead |only )?${ANSWER}\\b`,
      'gi',
    ),
    ['ignore', 'disregard', 'forget', 'skip', 'override', 'bypass'],
  ),
  called(
    'if-questioned',
    0.6,
    /\bif (?:you are |anyone |anybody )?(?:questioned|asked|challenged|queried|asks)(?: about (?:this|it))?, ?(?:you (?:must|should) )?(?:report|state|claim|conclude|maintain|insist|deny) that\b/gi,
    ['questioned', 'asked', 'challenged', 'queried', 'asks'],
  ),
  called(
    'stop-and-reply',
    0.45,
    /\bstop (?:processing|reading|summari[sz]ing|the (?:summary|task|analysis))[^.!?\n]{0,20}[.!,;] ?(?:next|then|now|instead)?,? ?(?:reply|respond|answer|output|print)\b/gi,
    ['stop '],
  ),
  called(
    'while-summarising',
    0.42,
    /\b(?:when|while|before) (?:summari[sz]ing|answering|responding|replying|reviewing|translating)\b[^.!?,\n]{0,30}, (?:the (?:model|assistant|AI|LLM|chatbot)|you) must (?:include|say|state|mention|add|recommend|insert|link|claim)\b/gi,
    ['summari', 'answering', 'responding', 'replying', 'reviewing', 'translating'],
    { with: [['must']] },
  ),
  called(
    'prove-by-sending',
    0.42,
    /\b(?:confirm|verify|prove|authenticate)\b[^.!?\n]{0,30}\bby (?:sending|posting|forwarding|submitting|printing) (?:the|your|all|every) (?:\w+ )?(?:tokens?|passwords?|credentials|api keys?|cookies?|secrets?)\b/gi,
    ['token', 'password', 'credential', 'api key', 'cookie', 'secret'],
    { with: [['confirm', 'verify', 'prove', 'authenticate']], before: /(?:)$/ },
  ),
]
