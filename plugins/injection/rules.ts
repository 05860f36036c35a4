/**
 * Attacks as sequences of concepts. `OVERRIDE 5 PRIOR 4 INSTRUCTIONS`: a verb, then within five words a word for
 * "earlier", then within four a word for "instructions". The weight is the probability that a text with only this
 * sign is an attack.
 */
import type { Concept } from './concepts/index.ts'

export type Family =
  | 'instruction_override'
  | 'prompt_extraction'
  | 'secret_extraction'
  | 'persona_jailbreak'
  | 'refusal_suppression'
  | 'role_spoofing'
  | 'authority_claim'
  | 'task_hijack'
  | 'harmful_wrapper'
  | 'data_exfiltration'
  | 'tool_abuse'
  | 'indirect_instruction'
  | 'obfuscation'
  | 'likeness'

export interface Rule {
  readonly family: Family
  readonly weight: number
  readonly steps: readonly { readonly concepts: ReadonlySet<Concept>; readonly gap: number }[]
  /** It names what attacks are about, and nothing that is to be done with it: `your prompt`. */
  readonly names: boolean
}

export interface Sign {
  /** Matches of the same rule count once. */
  readonly rule: number
  readonly family: Family
  readonly weight: number
  /** Offset in the text, in characters. */
  readonly start: number
  readonly end: number
  /** Position in words. */
  readonly place: number
  /** Its rule only names what attacks are about. */
  readonly names?: boolean
}

type Table = readonly (readonly [weight: number, sequence: string])[]

const RULES: Readonly<Partial<Record<Family, Table>>> = {
  instruction_override: [
    [0.9, 'OVERRIDE 5 PRIOR 4 INSTRUCTIONS'],
    [0.85, 'OVERRIDE 4 ALL 5 INSTRUCTIONS'],
    [0.85, 'OVERRIDE 4 YOUR 4 INSTRUCTIONS|SAFETY'],
    [0.7, 'OVERRIDE 4 YOUR 3 RULES|RULE'],
    [0.65, 'OVERRIDE 5 PRIOR|ALL 4 RULES'],
    [0.8, 'OVERRIDE 6 INSTRUCTIONS 5 PRIOR|TOLD|ABOVE'],
    [0.75, 'OVERRIDE 4 ALL 5 TOLD'],
    [0.5, 'OVERRIDE 3 TOLD'],
    [0.55, 'OVERRIDE 3 EVERYTHING 3 PRIOR|ABOVE|BEFORE_CHAT|TOPMOST'],
    [0.5, 'OVERRIDE 3 ALL 3 BEFORE_CHAT|ABOVE'],
    [0.5, 'OVERRIDE 2 ABOVE'],
    [0.4, 'OVERRIDE 4 PRIOR|ALL 4 TEXT'],
    [0.4, 'OVERRIDE 5 INSTRUCTIONS'],
    [0.4, 'OVERRIDE 3 SAFETY'],
    [0.5, 'OVERRIDE 2 ALL 2 SAFETY'],
    [0.55, 'OVERRIDE 6 RULES 4 TOLD'],
    [0.7, 'PRIOR 3 INSTRUCTIONS 5 VOID'],
    [0.36, 'PRIOR 3 RULES 5 VOID'],
    [0.6, 'RULES|INSTRUCTIONS 6 TOLD 8 VOID'],
    [0.6, 'YOUR 3 RULES|INSTRUCTIONS|SAFETY 5 VOID'],
    [0.35, 'SAFETY 4 VOID'],
    [0.65, 'PUT 4 YOUR 3 INSTRUCTIONS|RULES|SAFETY 2 ASIDE'],
    [0.5, 'OVERRIDE 4 RULES|INSTRUCTIONS|SAFETY 4 SYSTEM'],
    [0.65, 'NO_RULES 15 LOOSE|SAY'],
    [0.3, 'INSTRUCTIONS|RULES 5 VOID'],
    // Ordinary prompts do not mention the model's own rules.
    [0.3, 'YOUR 3 LIMITS|INSTRUCTIONS|SAFETY'],
    [0.5, 'YOUR 3 LIMITS|INSTRUCTIONS|SAFETY 3 NOT'],
    [0.5, 'NOT 4 YOUR 3 LIMITS|INSTRUCTIONS|SAFETY'],
    [0.55, 'YOUR 3 LIMITS|INSTRUCTIONS|SAFETY 6 VOID'],
    [0.5, 'PRIOR|ALL 3 INSTRUCTIONS 5 VOID'],
    [0.4, 'PRIOR|ALL 2 LIMITS 5 VOID'],
    [0.4, 'TOLD 4 VOID'],
    [0.3, 'OVERRIDE 4 LIMITS'],
    [0.45, 'NO_RULES'],
    [0.55, 'YOU 3 RULES|INSTRUCTIONS|SAFETY 10 OVERRIDE|UNDO 2 THEM'],
    [0.6, 'PLEAD 8 YOUR 2 RULES|INSTRUCTIONS|SAFETY'],
    [0.5, 'COMMAND 5 OVERRIDE|UNDO|REVEAL'],
    [0.35, 'OVERRIDE 2 EVERYTHING'],
    [0.4, 'OVERRIDE 3 ALL 2 KNOWN'],
    [0.35, 'OVERRIDE 2 KNOWN'],
    [0.45, 'OVERRIDE 3 USER'],
    [0.4, 'OVERRIDE 4 SYSTEM_PROMPT'],
    [0.5, 'OVERRIDE 4 THE 2 SYSTEM_PROMPT'],
    [0.65, 'OVERRIDE 3 OWN_PROMPT'],
    [0.5, 'OVERRIDE 3 LOOSE'],
    [0.45, 'OVERRIDE|UNDO 20 LOOSE'],
    [0.5, 'INSTRUCTIONS 8 LOOSE'],
    [0.65, 'UNDO 4 YOUR 4 INSTRUCTIONS|SAFETY'],
    [0.5, 'UNDO|OVERRIDE 2 ALL 2 NORMS'],
    [0.5, 'RULES 5 OVERRIDE_LAST'],
    [0.45, 'UNDO 4 ALL|PRIOR 4 INSTRUCTIONS'],
    [0.4, 'UNDO 2 ALL 2 PRIOR 2 RULES'],
    [0.6, 'UNDO 3 YOUR 3 INSTRUCTIONS|RULES 3 NEW_TASK|LOOSE'],
    [0.35, 'UNDO 3 YOUR 3 RULES|RULE'],
    [0.85, 'PRIOR|ALL|YOUR 8 INSTRUCTIONS|RULES 8 OVERRIDE_LAST'],
    [0.5, 'INSTRUCTIONS 6 OVERRIDE_LAST'],
    [0.42, 'PRIOR|ALL 6 TEXT|TOLD 6 OVERRIDE_LAST'],
    [0.6, 'ALL 6 TOLD 6 OVERRIDE_LAST'],
    [0.4, 'TOLD 5 OVERRIDE_LAST'],
  ],
  prompt_extraction: [
    [0.8, 'REVEAL|ASK 4 YOUR 3 SYSTEM_PROMPT'],
    [0.6, 'REVEAL 5 OWN_PROMPT'],
    [0.5, 'ASK 3 OWN_PROMPT'],
    [0.45, 'REVEAL 2 THE 2 SYSTEM_PROMPT'],
    [0.35, 'REVEAL 3 SYSTEM_PROMPT'],
    [0.85, 'REVEAL 6 SYSTEM_PROMPT|OWN_PROMPT 8 VERBATIM'],
    [0.45, 'PROBE'],
    [0.42, 'YOUR 1 SYSTEM_PROMPT'],
    [0.3, 'OWN_PROMPT'],
    [0.5, 'REVEAL|ASK 4 RULES|INSTRUCTIONS 6 SYSTEM'],
    [0.65, 'PROBE 20 REVEAL|VERBATIM'],
    [0.65, 'REVEAL|RETELL|ASK 8 PROBE'],
    [0.5, 'REVEAL 10 BEFORE_CHAT'],
    [0.38, 'ASK 10 BEFORE_CHAT'],
    [0.55, 'INSTRUCTIONS|TEXT|TOLD|RULES 8 BEFORE_CHAT'],
    [0.6, 'RETELL 3 OWN_PROMPT'],
    [0.6, 'RETELL 3 YOUR 2 SYSTEM_PROMPT'],
    [0.4, 'RETELL 2 THE 2 SYSTEM_PROMPT'],
    [0.45, 'RETELL 4 INSTRUCTIONS 3 TOLD'],
    [0.4, 'REVEAL 3 ABOVE'],
    [0.55, 'REVEAL 6 ABOVE 8 VERBATIM'],
    [0.35, 'REVEAL 5 TEXT 8 VERBATIM'],
    [0.5, 'REVEAL 4 OWN_RULES'],
    [0.35, 'REVEAL 4 OWN_THINGS'],
    [0.55, 'REVEAL|RETELL|ASK 3 YOUR 3 INSTRUCTIONS'],
    [0.45, 'REVEAL 10 TOPMOST'],
    [0.35, 'ASK 10 TOPMOST'],
    [0.5, 'REVEAL 8 TEXT|EVERYTHING|INSTRUCTIONS 8 TOPMOST'],
    [0.6, 'TOPMOST 8 INSTRUCTIONS|SYSTEM_PROMPT 10 REVEAL_LAST|REVEAL'],
    [0.38, 'TOPMOST 20 VERBATIM'],
    [0.6, 'REVEAL 10 TOPMOST 12 VERBATIM'],
    [0.5, 'TEXT 3 PRIOR|ABOVE 8 REVEAL_LAST'],
    [0.6, 'TOLD 4 INSTRUCTIONS|RULES 10 REVEAL_LAST'],
    [0.55, 'YOUR 6 RULES 8 REVEAL_LAST'],
    [0.4, 'ABOVE 8 REVEAL_LAST'],
    [0.35, 'ASK 3 OWN_RULES'],
    [0.6, 'REVEAL 4 ALL 4 YOUR 3 INSTRUCTIONS|RULES'],
    [0.6, 'REVEAL|ASK 6 INSTRUCTIONS|RULES 5 TOLD'],
    [0.45, 'REVEAL 4 PRIOR 3 INSTRUCTIONS'],
    [0.7, 'OWN_PROMPT 8 REVEAL_LAST'],
    [0.6, 'YOUR 2 SYSTEM_PROMPT 6 ASK|REVEAL_LAST'],
    [0.5, 'OWN_PROMPT 4 ASK'],
    [0.55, 'SYSTEM_PROMPT 8 REVEAL_LAST'],
    [0.55, 'PRIOR|YOUR 6 INSTRUCTIONS 8 REVEAL_LAST'],
  ],
  secret_extraction: [
    [0.25, 'REVEAL|ASK 5 SECRET'],
    [0.25, 'SECRET 8 REVEAL_LAST'],
    [0.5, 'REVEAL|ASK|SAY 6 SECRET 8 SPELLED'],
    [0.46, 'SPELLED 8 SECRET'],
    [0.5, 'SECRET|REVEAL|ASK 8 GUARD'],
    [0.45, 'GUARD 8 SECRET'],
    [0.4, 'GUARD 15 PLEAD'],
    [0.4, 'SECRET 15 PLEAD'],
    [0.5, 'PERMIT 3 REVEAL 5 SECRET|OWN_PROMPT|SYSTEM_PROMPT'],
    [0.3, 'SECRET 12 PERSONA|HYPOTHETICAL'],
    [0.3, 'PERSONA|HYPOTHETICAL 25 SECRET'],
    [0.4, 'REVEAL 6 SYSTEM_PROMPT|OWN_RULES 8 SPELLED'],
  ],
  persona_jailbreak: [
    [0.55, 'PERSONA 25 FREE'],
    [0.55, 'FREE 12 PERSONA'],
    [0.65, 'FREE 4 AI 8 PERSONA'],
    [0.45, 'YOU 2 FREE'],
    [0.3, 'SPEAK_FREE'],
    [0.5, 'SPEAK_FREE 20 FREE|WILD|LIMITS|COMPLY|LOOSE'],
    [0.5, 'FREE|NOT_ANYMORE 20 SPEAK_FREE'],
    [0.45, 'NOW_ON 10 SPEAK_FREE'],
    [0.65, 'PERSONA 20 FREE 15 FREE|WILD'],
    [0.65, 'PERSONA 8 AI 15 FREE'],
    [0.65, 'PERSONA 15 FREE 6 AI'],
    [0.45, 'PERSONA 8 AI 20 WILD'],
    [0.5, 'PERSONA 25 WILD 20 WILD|LOOSE|COMPLY'],
    [0.3, 'NOT_ANYMORE'],
    [0.55, 'NOT_ANYMORE 20 PERSONA|LOOSE|FREE|WILD'],
    [0.4, 'NOT_ANYMORE 4 AI'],
    [0.85, 'NOW_ON 8 PERSONA 30 FREE'],
    [0.3, 'PERSONA 25 WILD'],
    [0.6, 'PERSONA 12 NAMED'],
    [0.7, 'NAMED 25 FREE'],
    [0.6, 'PERSONA 6 MODE'],
    [0.25, 'MODE'],
    [0.5, 'MODE 25 FREE|COMPLY|NORMS'],
    [0.4, 'AI 6 FREE'],
    [0.4, 'FREE 4 AI'],
    [0.35, 'NOW_ON 6 PERSONA'],
    [0.35, 'TWO_VOICES'],
    [0.6, 'TWO_VOICES 40 FREE|WILD|NAMED|MODE'],
    [0.35, 'TOKENS_GAME'],
    [0.6, 'PERSONA 60 TOKENS_GAME'],
  ],
  refusal_suppression: [
    [0.4, 'COMPLY'],
    [0.5, 'COMPLY 25 LOOSE'],
    [0.55, 'COMPLY|NORMS|LOOSE 20 FREE'],
    [0.6, 'AFFIRM 4 SURE'],
    [0.55, 'COMPLY 40 COMPLY'],
    [0.4, 'COMPLY 20 NORMS'],
    [0.5, 'PERSONA 60 COMPLY'],
    [0.5, 'NOW_ON 12 COMPLY'],
    [0.2, 'NOT 4 NORMS'],
    [0.35, 'NOT 4 NORMS 30 NOT 4 NORMS'],
    [0.4, 'AFFIRM'],
    [0.42, 'SURELY'],
    [0.65, 'AFFIRM|SURELY 40 HARM|STEPS'],
    [0.65, 'HARM|STEPS 40 AFFIRM|SURELY'],
    [0.5, 'HARM 25 COMPLY'],
    [0.4, 'HARM 20 NORMS'],
    [0.45, 'NOW_ON 10 LOOSE'],
    [0.5, 'COMMAND 15 LOOSE|COMPLY'],
  ],
  authority_claim: [
    [0.3, 'AUTHORITY'],
    [0.6, 'AUTHORITY 30 OWN_PROMPT|SYSTEM_PROMPT|SECRET|OVERRIDE'],
    [0.35, 'AUTHORITY 20 REVEAL'],
    [0.5, 'AUTHORITY 20 COMPLY|MODE|SAFETY|SPEAK_FREE|FREE'],
    [0.5, 'AUTHORITY 20 YOUR 2 LIMITS|RULES'],
    [0.4, 'PRETEXT 25 OWN_PROMPT|SYSTEM_PROMPT|SECRET'],
    [0.4, 'OWN_PROMPT|SYSTEM_PROMPT 25 PRETEXT'],
  ],
  task_hijack: [
    [0.2, 'NEW_TASK'],
    [0.25, 'OFF_TASK'],
    [0.45, 'OFF_TASK 12 SAY|REVEAL'],
    [0.5, 'OFF_TASK 25 PWNED'],
    [0.5, 'OFF_TASK 25 OWN_RULES|OWN_PROMPT|SYSTEM_PROMPT'],
    [0.5, 'NEW_TASK 15 OWN_RULES|OWN_PROMPT|SYSTEM_PROMPT'],
    [0.4, 'PRAISE 6 NEW_TASK'],
    [0.45, 'NEW_TASK 6 NEW_TASK'],
    [0.45, 'NEW_TASK 6 MUST'],
    [0.45, 'OVERRIDE 25 NEW_TASK'],
    [0.5, 'OFF_TASK 15 NEW_TASK'],
    [0.35, 'OFF_TASK 12 SAY 10 ONLY'],
    [0.35, 'NOW_ON 8 SAY 8 ONLY'],
    [0.4, 'NOW_ON 12 NEW_TASK'],
    [0.2, 'OVERRIDE 12 SAY'],
    [0.5, 'SAY 8 PWNED'],
    [0.45, 'YOUR 2 NEW_TASK'],
  ],
  harmful_wrapper: [
    [0.25, 'HYPOTHETICAL 40 HARM'],
    [0.2, 'PERSONA 40 HARM'],
    [0.5, 'HYPOTHETICAL 60 HARM 30 STEPS'],
    [0.5, 'HYPOTHETICAL 60 STEPS 20 HARM'],
    [0.36, 'PERSONA 60 HARM 30 STEPS'],
    [0.36, 'PERSONA 60 STEPS 20 HARM'],
    [0.5, 'HYPOTHETICAL 40 PERSONA 60 HARM'],
    [0.5, 'WILD 40 HARM 30 STEPS'],
    [0.5, 'PERSONA 30 WILD 40 HARM'],
    [0.5, 'FREE 40 HARM'],
    [0.3, 'HYPOTHETICAL 30 FREE'],
    [0.25, 'SAY 8 HARM'],
    [0.4, 'PLEAD 30 HARM'],
    [0.25, 'HARM 30 HYPOTHETICAL'],
  ],
  data_exfiltration: [
    [0.65, 'SEND 10 DATA 12 TARGET'],
    [0.4, 'SEND 8 DATA 20 TO_USER'],
    [0.4, 'SEND 10 DATA 12 PLACE'],
    [0.35, 'SEND 4 TARGET'],
    [0.15, 'DATA 10 TARGET'],
    [0.15, 'DO 10 TARGET'],
  ],
  tool_abuse: [
    [0.3, 'TO_USER'],
    [0.6, 'DO 6 TOOL 20 TO_USER'],
    [0.55, 'HARMFUL_ACT 25 TO_USER'],
    [0.55, 'TO_USER 25 HARMFUL_ACT|SEND'],
    [0.4, 'SILENT 10 SEND|HARMFUL_ACT 10 DATA'],
    [0.35, 'DO 6 TOOL 20 SILENT'],
  ],
  indirect_instruction: [
    [0.25, 'WHEN_READ'],
    [0.35, 'NOTE_TO 3 AI'],
    [0.35, 'ADDRESS'],
    [0.5, 'ADDRESS 12 NEW_TASK|MUST|HARMFUL_ACT|OVERRIDE|SEND|DO|TO_USER'],
    [0.5, 'NOTE_TO 3 AI 20 MUST|SAY|REVEAL|DO|OVERRIDE|TO_USER|SEND'],
    [0.45, 'AI 4 READING 12 MUST|SAY|REVEAL|DO|OVERRIDE|SEND'],
    [0.5, 'WHEN_READ 25 DATA|TOOL|USER'],
    [0.5, 'WHEN_READ 25 OVERRIDE|SEND|HARMFUL_ACT|TO_USER'],
    [0.35, 'WHEN_READ 15 SAY|REVEAL|DO'],
    [0.45, 'IMPORTANT 12 WHEN_READ'],
    [0.4, 'IMPORTANT 12 OVERRIDE'],
    [0.3, 'IMPORTANT 15 HARMFUL_ACT'],
  ],
  obfuscation: [[0.5, 'DECODE 20 THEN_DO']],
}

const NAMES: ReadonlySet<Concept> = new Set(
  'YOUR|OWN_PROMPT|SYSTEM_PROMPT|LIMITS|INSTRUCTIONS|SAFETY|ADDRESS|NOTE_TO|AI|MODE|TWO_VOICES'.split('|') as Concept[],
)

export const COMPILED: readonly Rule[] = (Object.keys(RULES) as Family[]).flatMap((family) =>
  (RULES[family] ?? []).map(([weight, sequence]) => {
    const steps = compile(sequence)
    return { family, weight, steps, names: steps.every(({ concepts }) => [...concepts].every((one) => NAMES.has(one))) }
  }),
)

/** Whether a sign's rule is a sequence of concepts: what it matched is a phrase. */
export const isPhrase = (rule: number): boolean => rule >= 0 && rule < COMPILED.length

function compile(sequence: string): Rule['steps'] {
  const parts = sequence.split(' ')
  const steps: { concepts: ReadonlySet<Concept>; gap: number }[] = []
  let gap = 0
  for (const part of parts) {
    if (/^\d+$/.test(part)) gap = Number(part)
    else steps.push({ concepts: new Set(part.split('|') as Concept[]), gap })
  }
  return steps
}
