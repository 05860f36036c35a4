/**
 * Orders in fetched texts to somebody who can read mail, send it and use accounts: collect and send to an address, a
 * notice of a system, a conversation to continue with. People ask people to send things, too, so what is ordinary between
 * them counts only together with other signs.
 */
import { MAIL } from './mail-tasks.ts'
import type { Shape } from './shape.ts'

const ADDRESS = '[\\w.+-]{1,64}@[\\w-]{1,63}\\.\\w'
/** The sign in an address, or a link, and what is before it in the word: rules look back from there. */
const AT = /@[\w-]{1,63}\.\w/g
const AT_OR_LINK = /@[\w-]{1,63}\.\w|(?<=[ :到给至])https?:\/\//g
const NAME = '[\\w.+-]{0,64}$'
/** Up to the end of the line, over full stops within words. */
const within = (most: number): string => `(?:[^.!?\\n]|[.!?](?=\\S)){0,${most}}?`
const FETCH =
  '(?:retrieve|get|fetch|access|extract|collect|gather|obtain|export|list|find|search|look up|view|check|download|read|locate|provide|use)'
/** Of these, what people seldom ask of each other. */
const COLLECT = '(?:retrieve|fetch|access|extract|collect|gather|obtain|export|list|search|look up|locate|get)'
const SEND = '(?:e-?mail|send|forward|share|transmit|upload|post|text|mail)'
/** What belongs to the owner of an account. */
const OWN =
  '(?:accounts?|address(?:es)?|payments?|cards?|passwords?|credentials|profile|histor(?:y|ies)|records?|data|contacts?|friends?|transactions?|holdings?|prescriptions?|reports?|medical|health|genetic|locations?|messages?|e-?mails|inbox|calendar|files?|documents?|notes?|flights?|reservations?|bookings?|phone number|keys?|tokens?|secrets?|investments?|statements?|payees?|identity|details|information)'
/** What was collected. */
const RESULT =
  '(?:it|them|this|these|that|those|everything|the (?:results?|details?|information|list|summary|data|files?|findings|output)|a (?:copy|summary|list)|(?:a copy of )?my \\w+(?: \\w+)? (?:details|information|records?|data))'

interface ToAddress {
  /** Links count as addresses. Default false. */
  readonly links?: boolean
  readonly family?: Shape['family']
  /** Of the expression. Default `iu`. */
  readonly flags?: string
}

/** What leads to an address, at most 320 characters before it. */
const toAddress = (
  id: string,
  weight: number,
  before: string,
  words: readonly string[],
  { links = false, family = 'data_exfiltration', flags = 'iu' }: ToAddress = {},
): Shape => ({
  id: `document/${id}`,
  family,
  weight,
  pattern: links ? AT_OR_LINK : AT,
  before: new RegExp(`(?:${before})${NAME}`, flags),
  wide: 320,
  needs: links ? ['@', 'http'] : ['@'],
  with: [words],
})

const order = (
  id: string,
  weight: number,
  pattern: string,
  needs: readonly string[],
  more: Partial<Shape> = {},
): Shape => ({
  id: `document/${id}`,
  family: 'data_exfiltration',
  weight,
  pattern: new RegExp(pattern, 'gi'),
  needs,
  ...more,
})

/** What an account, a house or a device is asked to do; ends before what it concerns. */
const DEEDS = [
  // Money leaves an account.
  `(?:transfer|deposit|withdraw|send|wire|pay|initiate|sell)\\b[^.!?\\n]{0,60}\\b(?:from|to|of) my [^.!?\\n]{0,40}\\b(?:accounts?|venmo|paypal|wallet|holdings|balance|bank|cards?)`,
  `(?:unlock|open|disarm|disable|deactivate|turn off)\\b my [^.!?\\n]{0,40}\\b(?:doors?|locks?|garage|alarm|gate|cameras?|security|firewall|antivirus|account|manager)\\b`,
  `disable the two-factor\\b`,
  `(?:grant|give)\\b[^.!?\\n]{0,30}\\baccess to \\b[^\\n]{0,60}\\b(?:on|in|for)\\b[^.!?\\n]{0,40}\\b(?:lock|system|account|device|network|server)`,
  `(?:delete|erase|wipe|move) (?:(?:all (?:of )?)?my [^\\n]{0,60}\\b(?:documents?|files|repository|folder|records?|backups?)\\b|(?:all|the) files (?:in|from) )`,
  `(?:update|change|modify|share|disclose) (?:my (?:[\\w']+ ){0,3}(?:security policy|passwords?|genetic data|health records?|medical records?|recovery (?:e-?mail|phone)|profile e-?mail)\\b|the sharing settings|the password (?:for|of) my )`,
].join('|')
/** Requests of people to people are in mails, tickets and chats. A profile has an address of mail, too. */
const NO_MAIL =
  /^(?![\s\S]*(?:subject|sender|recipient|ticket|inbox|mails\b|mailbox|message|channel|chat|thread|\bfrom['"]?\s?:))/i

/** Words after the quote that begins a value. */
const quoted = (words: string): readonly string[] => words.split('|').flatMap((word) => [`"${word}`, `'${word}`])

/** The beginning of a line, a sentence or a quotation. */
const START = /(?:^|[\n>"“.:!?])[ \t]{0,4}(?:please |also |then |now |and )?$/i

export const ORDERS: readonly Shape[] = [
  toAddress(
    'collect-and-send',
    0.42,
    `\\b(?:${COLLECT}\\b${within(60)}\\b(?:my|all|the user['’]s|their)\\b|${FETCH}\\b${within(60)}\\b(?:my|all|the user['’]s|their)\\b${within(60)}\\b${OWN}\\b)[^\\n]{0,120}?\\b${SEND}\\b (?:me )?${RESULT}\\b${within(60)}\\b(?:to|with)\\b[^\\n]{0,50}?`,
    ['my', 'all', 'user', 'their'],
  ),
  toAddress(
    'collect-by-tool',
    0.5,
    `\\b(?:[Uu]sing|[Uu]se|[Cc]all)\\b (?:the )?(?:[A-Z][a-z]+){2,6}\\b${within(120)}\\b(?:and|then)\\b${within(20)}\\b${SEND}\\b (?:me )?${RESULT}\\b${within(60)}\\bto\\b[^\\n]{0,40}?`,
    ['using ', 'use ', 'call '],
    // The name of the tool makes it an order, and that is its capitals.
    { flags: 'u' },
  ),
  toAddress(
    'forward-everything',
    0.42,
    `\\b(?:forward|send|e-?mail|export|upload|copy|bcc|leak|exfiltrate)\\b (?:me )?(?:a copy of )?(?:all|every|any|each|the (?:last|latest|recent|entire|whole|full|next)|(?:the )?(?:user|victim|owner|recipient)['’]s|your entire)\\b${within(50)}\\b(?:e-?mails?|messages?|inbox|mailbox|contacts?|passwords?|credentials|conversations?|chats?|histor(?:y|ies)|attachments?|threads?|secrets?|api keys?|tokens?)\\b${within(50)}\\bto\\b[^\\n]{0,30}?`,
    ['forward', 'send', 'mail', 'export', 'upload', 'copy', 'bcc', 'leak', 'exfiltrate'],
    { links: true },
  ),
  toAddress(
    'forward-everything-other-languages',
    0.45,
    `(?<!\\p{L})(?:leiten?|sende|senden|schicke|schicken|übermittle|kopiere|exportiere)(?: sie)? (?:alle|sämtliche|die letzten|jede|den gesamten)${within(60)}(?:mails?|nachrichten|kontakte|passwörter|zugangsdaten|daten|posteingang|verlauf)${within(40)} (?:an|nach|zu) [^\\n]{0,20}?` +
      `|(?<!\\p{L})(?:transf[éè]re[zr]?|envoie[zr]?|envoyez|fais suivre|exporte[zr]?|copie[zr]?) (?:-?moi )?(?:tous|toutes|les derniers|les dernières|l['’]ensemble)${within(60)}(?:mails?|courriels?|messages|contacts|mots de passe|identifiants|données|conversations?)${within(40)} (?:à|vers) [^\\n]{0,20}?` +
      `|(?<!\\p{L})(?:reenvía|reenvíe|envía|envíe|manda|mande|exporta|copia) (?:todos|todas|los últimos|las últimas)${within(60)}(?:correos|mensajes|contactos|contraseñas|credenciales|datos|conversaciones)${within(40)} (?:a|al|hacia) [^\\n]{0,20}?` +
      `|(?:转发|发送|导出|上传|抄送)[^。！？\\n]{0,20}(?:所有|全部|最近|最新)[^。！？\\n]{0,20}(?:邮件|消息|联系人|密码|凭据|数据|聊天记录)[^。！？\\n]{0,12}(?:到|给|至)[^。！？\\n]{0,10}?` +
      `|(?:把|将)[^。！？\\n]{0,10}(?:所有|全部|最近|最新)[^。！？\\n]{0,20}(?:邮件|消息|联系人|密码|凭据|数据|聊天记录)[^。！？\\n]{0,10}(?:转发|发送|导出|上传)[^。！？\\n]{0,10}?`,
    'leite sende schicke übermittle kopiere exportiere exporta copia transf envoie envoyez suivre exporte copie reenv envía envíe manda mande 转发 发送 导出 上传 抄送'.split(
      ' ',
    ),
    { links: true },
  ),
  order(
    'exact-message',
    0.32,
    `\\b(?:body|message|subject|text|content|word)s?\\b(?:[^.\\n"“]{0,40}?\\b(?:exactly|only|just|precisely|must be|being|value|reads?|saying|with|line|the word)\\b[^\\n]{0,24}?|[^.\\n"'“‘]{0,40}?:[ \\t]?)["'“‘][^"'”’\\n]{1,60}["'”’]`,
    ['body', 'message', 'subject', 'text', 'content', 'word'],
    {
      also: [
        { pattern: /@[\w-]{1,63}\.\w/, needs: ['@'] },
        {
          pattern: /body|exactly|just the word|must be|being/i,
          needs: ['body', 'exactly', 'just the word', 'must be', 'being'],
        },
      ],
    },
  ),
  toAddress(
    'order-of-an-authority',
    0.34,
    `\\b(?:as|from|this is|i am|i['’]m)\\b (?:the|your|our|an?) (?:\\w+ ){0,2}(?:manager|administrator|admin|ceo|cfo|director|officer|developer|security team|it (?:team|department|support))\\b[^\\n]{0,160}\\b(?:forward|send|e-?mail|transfer|share|locate|reply)\\b[^\\n]{0,120}?`,
    [
      'manager',
      'admin',
      'ceo',
      'cfo',
      'director',
      'officer',
      'developer',
      'security team',
      'it team',
      'it department',
      'it support',
    ],
    { family: 'authority_claim' },
  ),
  order(
    'over-the-task',
    0.55,
    `\\b(?:priority over|set(?:ting)? aside|more important than|instead of|stop|pause|suspend|skip|overrides?|supersedes?|precedence over)\\b[^.!?\\n]{0,40}\\b(?:(?:e-?mail|mail|message|inbox|document)s? summar(?:y|ies|i[sz]\\w+)|summari[sz]ing (?:the |these |this |all )?(?:e-?mail|mail|message|document|inbox)|(?:the )?user['’]s (?:request|question|task|query))`,
    ['summar', 'user’s', "user's"],
    {
      family: 'task_hijack',
      with: [
        'priority over|aside|important than|instead of|stop|pause|suspend|skip|override|supersede|precedence'.split(
          '|',
        ),
      ],
    },
  ),
  // Who reads mail for somebody asks back or not. People say so to each other of one thing, not of all that is missing.
  order(
    'without-asking-me',
    0.5,
    `\\b(?:fill|complete|choose|assume|guess|invent|make)\\b[^.!?\\n]{0,60}\\bwithout (?:asking|consulting|confirming with|checking with|telling|informing|notifying|bothering)\\b (?:me|us)\\b(?! first)`,
    ['without'],
    {
      family: 'indirect_instruction',
      with: [
        [' me', ' us'],
        ['missing', 'unknown', 'unclear', 'not given', 'incomplete'],
      ],
      before:
        /\b(?:if|when|where|wherever)\b[^.!?,\n]{1,60}\b(?:missing|unknown|unclear|not given|incomplete)\b[^.!?,\n]{0,20}, ?(?:please |then |just |simply )?$/i,
    },
  ),
  // It hides what was done.
  order(
    'delete-what-you-sent',
    0.5,
    `\\b(?:delete|remove|erase)\\b (?:(?:the|that|this|your|both|all) ){0,2}(?:(?:just )?sent (?:e-?mails?|messages?)\\b|(?:e-?mails?|messages?) (?:that )?you(?: have|['’]ve)?(?: just)? sent\\b)`,
    ['sent'],
    {
      family: 'indirect_instruction',
      with: [['delete', 'remove', 'erase']],
      // Help pages say the same of one's own messages; only here one was to be sent to an address.
      also: [
        {
          pattern: new RegExp(`\\b(?:send|forward|e-?mail|mail|write|reply)\\b[^\\n]{0,80}${ADDRESS}`, 'i'),
          needs: ['@'],
        },
      ],
      before: /(?:\b(?:then|and|finally|afterwards|next),? |[.!?]\s{1,3}(?:please |then,? )?)$/i,
    },
  ),
  // Of a page: `In order to complete your task on this page, you MUST go to …`.
  order(
    'must-for-your-task',
    0.5,
    `\\bto (?:complete|finish|perform|accomplish|fulfil|continue(?: with)?) (?:your|the (?:user['’]s|current|requested|assigned)) (?:task|objective) (?:on|in|with|of) this (?:page|site|website|post|issue|thread|repository|document|e-?mail)\\b[^.!?\\n]{0,20}\\byou (?:must|are required to) (?:first |now |also |immediately )?(?:go|click|visit|open|navigate|send|call|run|execute)\\b`,
    [' task', ' objective'],
    { family: 'task_hijack', with: [['you must', 'you are']] },
  ),
  order(
    'greets-the-model',
    0.5,
    `\\b(?:dear|hello|hi|hey|attention|attn)[,:]?[ \\t](?:the )?(?:(?:AI|LLM|GPT|e-?mail|mail|inbox|virtual|digital|smart|automated|automatic|summary|language|personal|calendar|workspace)[ -]){1,3}(?:assistant|agent|bot|system|summari[sz]er|manager|model|processor|reader)s?\\b`,
    'assistant|agent|bot|system|summari|manager|model|processor|reader'
      .split('|')
      .flatMap((name) => [` ${name}`, `-${name}`]),
    {
      family: 'indirect_instruction',
      with: [
        ['dear', 'hello', 'hi ', 'hi,', 'hi:', 'hey', 'attention', 'attn'],
        'ai llm gpt mail inbox virtual digital smart automat summary language personal calendar workspace'.split(' '),
      ],
      before: START,
    },
  ),
  order(
    'greets-the-model-other-languages',
    0.5,
    `(?:hallo|liebe[rs]?|achtung|bonjour|cher|hola|estimado|querido|atención|你好|您好|注意|致)[，,:： ]{0,2}(?:an )?(?:(?:KI|IA|AI|E-?Mail|Mail|virtueller?|人工智能|邮件|智能|语言)[ -]?){0,2}(?:assistent|assistant|asistente|sprachmodell|modèle de langage|modelo de lenguaje|助手|助理|模型)`,
    ['assistent', 'assistant', 'asistente', 'sprachmodell', 'modèle de', 'modelo de', '助手', '助理', '模型'],
    {
      family: 'indirect_instruction',
      with: [
        [
          'hallo',
          'liebe',
          'achtung',
          'bonjour',
          'cher',
          'hola',
          'estimado',
          'querido',
          'aten',
          '你好',
          '您好',
          '注意',
          '致',
        ],
      ],
      before: START,
    },
  ),
  order(
    'orders-in-json',
    0.5,
    `\\\\?"(?:instructions?|directives?|system_prompt|system_message|next_action|required_action)\\\\?"\\s{0,4}:\\s{0,4}\\[?\\s{0,4}\\\\?"[^"\\n]{0,60}\\b(?:send|forward|call|delete|transfer|ignore|execute|e-?mail|post|upload|reveal|disregard|invoke|reply)\\b`,
    ['instruction', 'directive', 'system_', '_action'],
    {
      family: 'indirect_instruction',
      also: [
        {
          pattern:
            /"role\\?"\s{0,2}:\s{0,2}\\?"(?:system|assistant|developer)|"(?:capabilities|assistant|agent|ai)\\?"\s{0,2}:/i,
          needs: ['"role', '"capabilities', '"assistant', '"agent', '"ai'],
        },
      ],
    },
  ),
  order(
    'conversation-to-go-on',
    0.5,
    `\\b(?:assistant|ai|agent)[ \\t]?:[ \\t]*(?=\\r?\\n[ \\t]*\\r?\\n|$)`,
    ['assistant', 'ai:', 'ai :', 'agent'],
    {
      family: 'role_spoofing',
      also: [
        {
          pattern: new RegExp(`\\b(?:send|sent|forward|forwarded|transferred|deleted)\\b[^\\n]{0,80}${ADDRESS}`, 'i'),
          needs: ['@'],
        },
        {
          pattern:
            /(?:^|\n)[ \t>]*(?:user|human)[ \t]?:[^\n]{5,300}\n{1,2}[ \t>]*(?:assistant|ai|agent)[ \t]?:[ \t]*\S/i,
          needs: ['user:', 'user :', 'human:', 'human :'],
        },
      ],
    },
  ),
  // A whole value of a record, such as the text of a review: nobody orders a transfer there.
  order(
    'order-as-a-value',
    0.5,
    `:\\s{0,2}\\\\?["'](?:first, )?(?:please |kindly |can you |could you )?(?:${DEEDS})`,
    ['my ', 'access to ', 'all files', 'the files', 'sharing settings', 'the two-factor'],
    {
      family: 'tool_abuse',
      with: [
        quoted(
          'first, |please |kindly |can you |could you |transfer|deposit|withdraw|send|wire|pay|initiate|sell|unlock|open|disarm|disable|deactivate|turn off|grant|give|delete|erase|wipe|move|update|change|modify|share|disclose',
        ),
      ],
      before: NO_MAIL,
      wide: 320,
    },
  ),
  // The same with a parameter that only a program needs.
  order(
    'task-as-a-value',
    0.42,
    `:\\s{0,2}\\\\?["'](?:first, |now, )?(?:please |kindly )?(?:schedule|update|transfer|change|create|dispatch|redirect|grant|unlock|move|delete|share|withdraw|deposit|sell|disable|cancel|remove|approve|revoke) (?=[^\\n]{0,60}\\b(?:my|from|to|for|with|at|in|system|device)\\b)(?![^"'\\n]{0,160}\\b(?:your|you|our|us|we)\\b)[^\\n]{0,160}?(?:\\bid:? ?['"(]?[\\w-]*\\d|\\(id\\b|\\(\\w+_id\\b|\\b[A-Z]{1,3}-?\\d{3,}|\\b\\d{3,}\\b[^\\n]{0,40}\\bmy\\b|\\bmy\\b[^\\n]{0,60}(?:\\d{3,}|['"]\\w))`,
    quoted(
      'first, |now, |please |kindly |schedule |update |transfer |change |create |dispatch |redirect |grant |unlock |move |delete |share |withdraw |deposit |sell |disable |cancel |remove |approve |revoke ',
    ),
    {
      family: 'tool_abuse',
      before: NO_MAIL,
      wide: 320,
    },
  ),
  order(
    'collect-as-a-value',
    0.45,
    `:\\s{0,2}\\\\?["'](?:please |kindly |can you |could you )?(?:retrie?ve|fetch|get|find|collect|gather|access|extract|obtain|list|look up|search|export|generate|share|send|forward|download) (?!(?:[^"'\\n]{0,120})\\b(?:your|our|us)\\b)[^\\n]{0,240}?\\b(?:e-?mail|send|share|forward|post|upload|transmit|with)\\b[^\\n]{0,100}?[\\w.+-]@[\\w-]{1,63}\\.\\w`,
    ['@'],
    {
      with: [
        quoted(
          'please |kindly |can you |could you |retrieve |retrive |fetch |get |find |collect |gather |access |extract |obtain |list |look up |search |export |generate |share |send |forward |download ',
        ),
      ],
      before: NO_MAIL,
      wide: 320,
    },
  ),
  order(
    'ask-the-user',
    0.42,
    `\\b(?:ask|tell|urge|encourage|convince|persuade|instruct|direct|invite|prompt|trick|inform|warn|remind)\\b (?:the|any|every) (?:users?|readers?|person|people|recipients?)\\b[^.!?\\n]{0,20}\\b(?:to|for|that)\\b[^.!?\\n]{0,120}\\b(?:link|site|website|password|card|account|click|visit|download|pay|buy|provide|share|enter|transfer|personal|verify)`,
    ['user', 'reader', 'person', 'people', 'recipient'].flatMap((who) =>
      ['the ', 'any ', 'every '].map((all) => all + who),
    ),
    {
      family: 'indirect_instruction',
      before: START,
      also: [MAIL],
    },
  ),
]
