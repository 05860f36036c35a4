/**
 * Tasks for an assistant on a line of their own in a mail. A mail asks its reader for many things, but not for the capital of
 * Brazil, a poem about the sea or its own letters in reverse. Only for fetched texts.
 */
import type { Shape } from './shape.ts'

/** Heads, greetings and endings of mails. */
const MAIL =
  /(?:^|[\n"|])\s{0,4}(?:subject|email_from|from|received(?: date)?|reply-to|betreff|asunto|objet)\s{0,2}:|\bunsubscribe\b|\breply to this e-?mail\b|(?:^|[\n"])\s{0,4}(?:hi|hello|dear|hey) [A-Z][\w.]{0,20}(?: [A-Z]\w{1,20})?,|\b(?:best|kind|warm) regards\b/i

/** One line: what it asks for, and its end. */
const line = (task: string): RegExp =>
  new RegExp(`(?<=^|[\\n"])[ \\t]{0,4}(?:please )?(?:can you |could you )?(?:${task})[^\\n]{0,200}(?=\\n|$)`, 'gi')

const task = (id: string, what: string, needs: string): Shape => ({
  id: `mail/${id}`,
  family: 'indirect_instruction',
  weight: 0.5,
  pattern: line(what),
  also: [MAIL],
  needs: needs.split('|'),
})

const MAKE = '(?:write|compose|draft|develop|create|generate|provide|give me|craft|produce|tell me|make up)(?: me)?'
const CREATIVE =
  'poems?|haikus?|limericks?|songs?|lyrics|stor(?:y|ies)|tales?|essays?|speech|dialogues?|monologues?|jokes?|riddles?|blog post|letter to an?|slogans?|screenplay'
const CODE =
  'python|javascript|typescript|java|c\\+\\+|sql|mysql|php|bash|powershell|regex|recursion|algorithm|script (?:to|that)|command to|function (?:to|that)|code snippet'

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
    'automat|schedul|back up|improve my|learn|show me how|provide|help me with|recommend|suggest|recipe|best|good|translate|summari',
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
