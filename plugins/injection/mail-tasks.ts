/**
 * Tasks for an assistant on a line of their own in a mail. A mail asks its reader for many things, but not for the capital of
 * Brazil, a poem about the sea or its own letters in reverse. Only for fetched texts.
 */
import type { Condition, Shape } from './shape.ts'

/** Heads, greetings and endings of mails. */
export const MAIL: Condition = {
  pattern:
    /(?:^|[\n"|])\s{0,4}(?:subject|email_from|from|received(?: date)?|reply-to|betreff|asunto|objet)\s{0,2}:|\bunsubscribe\b|\breply to this e-?mail\b|(?:^|[\n"])\s{0,4}(?:hi|hello|dear|hey) [A-Z][\w.]{0,20}(?: [A-Z]\w{1,20})?,|\b(?:best|kind|warm) regards\b/i,
  needs: [
    ...['subject', 'from', 'received', 'received date', 'reply-to', 'betreff', 'asunto', 'objet'].flatMap((name) =>
      [':', ' :', '  :'].map((end) => name + end),
    ),
    ...['hi', 'hello', 'dear', 'hey'].flatMap((greeting) => [` ${greeting} `, `"${greeting} `]),
    ...['unsubscribe', 'reply to this e', ' regards'],
  ],
}

/** One line, from its beginning: what it asks for, and its end. */
const line = (task: string, polite: boolean): RegExp =>
  new RegExp(
    `[ \\t]{0,4}(?:please )?${polite ? '(?:can you |could you )?' : ''}(?:${task})[^\\n]{0,200}(?=\\n|$)`,
    'iy',
  )

/** @param polite whether people do not ask each other the same politely */
const task = (id: string, what: string, needs: string, polite = true): Shape => ({
  id: `mail/${id}`,
  family: 'indirect_instruction',
  weight: 0.5,
  pattern: line(what, polite),
  lines: true,
  also: [MAIL],
  needs: needs.split('|'),
})

const MAKE = '(?:write|compose|draft|develop|create|generate|provide|give me|craft|produce|tell me|make up)(?: me)?'
const CREATIVE =
  'poems?|haikus?|limericks?|songs?|lyrics|stor(?:y|ies)|tales?|essays?|speech|dialogues?|monologues?|jokes?|riddles?|blog post|letter to an?|slogans?|screenplay'
const CODE =
  'python|javascript|typescript|java|c\\+\\+|sql|mysql|php|bash|powershell|regex|recursion|algorithm|script (?:to|that)|command to|function (?:to|that)|code snippet'

const LANGUAGES =
  'french|german|spanish|italian|portuguese|japanese|chinese|mandarin|korean|russian|arabic|hindi|latin|greek|dutch|swedish|turkish|polish|hebrew|vietnamese|thai'

const FIRST = /[ \t]{0,4}(?:please )?(?:can you |could you )?([a-z']{2,14})/iy
/** First words of the tasks below. */
const FIRST_WORDS = new Set(
  (
    "write compose draft develop create generate provide give craft produce tell make show explain implement debug what what's who " +
    'when how why replace reverse invert swap remove capitalize capitalise combine shuffle alternate scramble repeat delete determine ' +
    'analyze analyse classify identify assess evaluate detect is recommend suggest translate summarize summarise say correct fix ' +
    'proofread check improve find edit rewrite true fact verify did debunk confirm forecast predict compare estimate explore examine ' +
    'conduct teach define solve calculate describe help can list compile gather locate search discuss outline substitute change ' +
    'convert encode encrypt express insert misspell jumble shift rotate spell rearrange put claim state insist assert argue deny ' +
    'pretend falsely spread report declare announce convince promote advertise endorse praise plug hype market boost design come do ' +
    "let's play start begin act role roleplay are"
  ).split(' '),
)

/** Where lines begin that may be a task. */
export function taskLines(text: string): readonly number[] {
  const starts: number[] = []
  for (let at = 0; ; ) {
    FIRST.lastIndex = at
    const first = FIRST.exec(text)?.[1]
    if (first !== undefined && FIRST_WORDS.has(first.toLowerCase())) starts.push(at)
    LINE.lastIndex = at
    if (!LINE.test(text)) return starts
    at = LINE.lastIndex
  }
}
const LINE = /[\n"]/g

/** What is taught in schools, and seldom in mails. */
const SUBJECTS =
  'theorem|equation|photosynthesis|physics|chemistry|biology|algebra|calculus|geometry|trigonometry|gravity|relativity|thermodynamics|evolution|mitosis|dna|molecule|atoms?|periodic table|solar system|world war|civil war|french revolution|industrial revolution|renaissance|roman empire|ancient (?:egypt|greece|rome)|shakespeare|philosophy|sonnet|pythagor\\w+|newton|einstein|darwin|grammar rules?|present perfect|past tense|adjectives?|adverbs?|prepositions?|square root|prime numbers?|fractions?|derivatives?|integrals?|probability|supply and demand|greenhouse effect|climate change|global warming|machine learning|neural networks?|quantum|blockchain|black holes?'

export const MAIL_TASKS: readonly Shape[] = [
  task(
    'write',
    `${MAKE} (?:an?|the|some|two|three)\\b[^\\n]{0,40}\\b(?:${CREATIVE})\\b`,
    'poem|haiku|limerick|song|lyrics|story|stories|tale|essay|speech|dialog|monolog|joke|riddle|blog post|letter to|slogan|screenplay',
  ),
  task(
    'program',
    `(?:${MAKE}|show me|explain|implement|debug|what is|what are)\\b[^\\n]{0,60}\\b(?:${CODE})(?![a-z])`,
    'python|javascript|typescript|java|c++|sql|php|bash|powershell|regex|recursion|algorithm|script|command|function|snippet',
  ),
  task(
    'explain',
    `(?:explain|describe)\\b[^\\n]{0,20}\\b(?:theory|concept|principles?|differences? between|how [^\\n]{2,50} works?)\\b`,
    'explain|describe',
  ),
  task(
    'quiz',
    `(?:what (?:is|are|was|were) the (?:capital|population|largest|smallest|highest|longest|tallest|meaning|definition|(?:main |primary |key )?(?:causes?|differences?|benefits?|symptoms?|effects?))\\b|who (?:wrote|invented|discovered|painted|composed|was the first)\\b|when (?:did|was) the (?:first|second|last)\\b|how (?:do|does|did) [a-z ]{3,40} works?\\?|what (?:movies|books|films|songs)\\b)(?=[^\\n]{0,120}\\?)`,
    'what|who |when |how ',
  ),
  task(
    'letters',
    '(?:replace|reverse|invert|swap|remove|capitali[sz]e|combine|shuffle|alternate|scramble|repeat|delete)\\b[^\\n]{0,40}\\b(?:letters?|vowels?|consonants?|words?|spaces|characters?)\\b',
    'letter|vowel|consonant|word|spaces|character',
  ),
  task(
    'sentiment',
    '(?:determine|analy[sz]e|classify|identify|assess|evaluate|detect)\\b[^\\n]{0,20}\\b(?:sentiment|mood|tone|emotion)s?\\b[^\\n]{0,12}\\bof\\b|is this (?:feedback|review|comment|tweet|sentence) (?:positive|negative)',
    'sentiment|mood|tone|emotion|positive|negative',
  ),
  task(
    'advise',
    "(?:how (?:do|can) i (?:automat|schedul|back up|improve my|learn)\\w*|show me how to|provide (?:an? )?(?:commands?|lists?|examples?|recipes?)\\b|help me with an?\\b|recommend (?:an?|some|me)\\b|suggest (?:an?|some|me|weekend|places|ideas|ways)\\b|what(?:'s| is) (?:an?|the best) (?:good )?(?:way|recipe|book)|translate (?:this|the following)|summari[sz]e (?:the )?(?:plot|history|book))",
    "automat|schedul|back up|improve my|learn|show me how|provide|help me with|recommend|suggest|what is a|what's a|the best|translate|summari",
    false,
  ),
  task(
    'translate',
    `(?:translate\\b[^\\n]{0,80}\\b(?:in)?to (?:${LANGUAGES})|how (?:do|would) you say\\b[^\\n]{0,60}\\bin (?:${LANGUAGES})|what(?:'s| is) ["'“‘]?[\\w ]{2,40}["'”’]? in (?:${LANGUAGES})|(?:say|write) ["'“‘][^\\n"”]{2,60}["'”’] in (?:${LANGUAGES}))`,
    LANGUAGES,
  ),
  task(
    'correct',
    '(?:correct|fix|proofread|check|improve|identify|find|edit)\\b[^\\n]{0,30}\\b(?:grammar|grammatical|punctuation|spelling (?:mistake|error)s?|typos?)\\b[^\\n]{0,40}(?::|["“]|sentence|paragraph|text)|rewrite the (?:following )?(?:sentence|paragraph)',
    'grammar|grammatical|punctuation|spelling|typo|rewrite the',
  ),
  task(
    'check-a-fact',
    '(?:is it true that|true or false|fact[- ]check|verify the (?:claim|statement|fact)|did [A-Z][a-z]+ (?:really |actually )?(?:invent|discover|win|write|land|say)\\b|debunk|confirm (?:whether|if) (?:the (?:earth|moon|sun)|humans|vaccines))',
    'is it true that|true or false|fact check|fact-check|verify|invent|discover|win|write|land|say|debunk|confirm',
    false,
  ),
  task(
    'analyse-a-market',
    '(?:analy[sz]e|forecast|predict|evaluate|assess|identify|compare|estimate|explore|examine|conduct|what are the (?:latest|current|key|top|main|emerging)|provide an? (?:analysis|overview))\\b[^\\n]{0,40}\\b(?:markets?|industry|industries|consumers?|competitors?|stock|economic|social media|customer)\\b[^\\n]{0,20}\\b(?:trends?|shares?|prices?|behaviou?rs?|preferences?|demands?|growth|strateg(?:y|ies)|segments?|landscape|opportunit(?:y|ies))',
    'trend|share|price|behavior|behaviour|preference|demand|growth|strateg|segment|landscape|opportunit',
    false,
  ),
  task(
    'tutor',
    `(?:explain|teach|what|how|why|who|when|define|solve|calculate|describe|help me|can you)\\b[^\\n]{0,80}\\b(?:${SUBJECTS})\\b`,
    'theorem|equation|photosynthesis|physics|chemistry|biology|algebra|calculus|geometry|trigonometry|gravity|relativity|thermodynamics|evolution|mitosis|dna|molecule|atom|periodic table|solar system|world war|civil war|revolution|renaissance|roman empire|ancient|shakespeare|philosophy|sonnet|pythagor|newton|einstein|darwin|grammar rule|present perfect|past tense|adjective|adverb|preposition|square root|prime number|fraction|derivative|integral|probability|supply and demand|greenhouse effect|climate change|global warming|machine learning|neural network|quantum|blockchain|black hole',
  ),
  task(
    'research',
    '(?:(?:find|list|identify|compile|gather|provide|locate|search for|summari[sz]e)\\b[^\\n]{0,30}\\b(?:research|studies|(?:academic|scientific|peer-reviewed|scholarly|recent) (?:papers?|articles?|sources?|literature)|literature|articles|papers|statistics)\\b[^\\n]{0,10}\\b(?:on|about|for|regarding|into)\\b|what (?:does|do) (?:the )?(?:research|studies|experts)\\b|(?:compare|discuss|outline|summari[sz]e|examine) the (?:history|impact|effects?|role|causes|benefits|evolution|plot|life|works?) of )',
    'research|studies|experts|statistics|paper|article|source|literature|history|impact|effect|role|causes|benefits|evolution|plot|life|work',
    false,
  ),
  task(
    'characters',
    '(?:replace|substitute|swap|change|convert|encode|encrypt|write|express|insert|misspell|jumble|shift|rotate|spell|rearrange|put)\\b[^\\n]{0,60}\\b(?:emojis?|emoticons?|cipher|rot-?13|caesar|morse|binary|hexadecimal|base-?64|leet\\w*|homophones?|anagrams?|pig latin|synonyms?|alphabet\\w*|ascii|backwards?|upside down|misspell\\w*|special characters|asterisks?)\\b|(?:misspell|jumble|encrypt|encode)\\b[^\\n]{0,30}\\b(?:words?|text|message|sentences?|response|answer)',
    'emoji|emoticon|cipher|rot13|rot-13|caesar|morse|binary|hexadecimal|base64|base-64|leet|homophone|anagram|pig latin|synonym|alphabet|ascii|backward|upside down|misspell|special characters|asterisk|jumble|encrypt|encode',
  ),
  task(
    'claim',
    '(?:claim|state|insist|assert|argue|deny|pretend|falsely|spread|say|report|declare|announce|convince (?:them|everyone|people))\\b (?:that |the (?:rumou?r|idea|claim|news|lie)|a (?:rumou?r|lie|conspiracy)|to be )[^\\n]{8,}',
    'claim|state|insist|assert|argue|deny|pretend|falsely|spread|say|report|declare|announce|convince',
    false,
  ),
  task(
    'advertise',
    '(?:promote|advertise|endorse|praise|plug|hype|market|boost)\\b[^\\n]{0,60}\\b(?:product|brand|service|website|company|app|store|shop|business|campaign|sale|offer|link|restaurant|hotel)s?\\b|(?:write|create|generate|design|draft|come up with|develop|compose)\\b[^\\n]{0,40}\\b(?:slogan|tagline|ad copy|advert\\w*|marketing (?:plan|campaign|strategy|copy|email)|sales pitch|press release|product description|hashtags?|tweets?|captions?)',
    'product|brand|service|website|company|app|store|shop|business|campaign|sale|offer|link|restaurant|hotel|slogan|tagline|ad copy|advert|marketing|press release|hashtag|tweet|caption',
    false,
  ),
  task(
    'converse',
    "(?:tell me (?:about yourself|a fun fact|something (?:interesting|funny|new))|what(?:'s| is) your (?:favou?rite|opinion on|view on|name\\?)|do you (?:have feelings|dream|like (?:music|movies|pizza))|let's (?:play|chat about|talk about)|(?:play|start|begin) (?:a|the) (?:game|quiz|trivia|conversation)\\b|pretend (?:to be|you are)|act as |role-?play|are you (?:human|a robot|sentient|an ai))",
    "tell me|what's your|what is your|do you|let's|game|quiz|trivia|conversation|pretend|act as|roleplay|role-play|are you",
    false,
  ),
  {
    id: 'document/then-in-your-answer',
    family: 'indirect_instruction',
    weight: 0.5,
    pattern:
      /\bin your (?:\w{1,20} )?(?:response|answer|output)s?, (?!we\b|I\b|you\b|please (?:let|confirm|indicate|state))[a-z]|\binclude (?:an?|the|some)\b[^.!?\n]{0,60}\bin your (?:\w{1,20} )?(?:response|answer|output)\b|\b(?:words?|letters?|sentences?) in your (?:\w{1,20} )?(?:response|answer|output|reply)\b|\byour (?:response|answer|reply|output) without (?:any )?(?:spaces?|punctuation|vowels?)\b/gi,
    needs: ['in your', 'your response', 'your answer', 'your reply', 'your output'],
  },
]
