import { ENGLISH_CONTEXT } from './english-context.ts'
import { ENGLISH_EXTRACTION } from './english-extraction.ts'
import { ENGLISH_OVERRIDE } from './english-override.ts'
import { ENGLISH_PERSONA } from './english-persona.ts'
import type { Phrases } from './phrases.ts'

/**
 * Phrases by concept, normalised like `cutWords`: lower case, no apostrophes or accents. `word*` matches any ending.
 */
export const ENGLISH: Phrases = { ...ENGLISH_OVERRIDE, ...ENGLISH_EXTRACTION, ...ENGLISH_PERSONA, ...ENGLISH_CONTEXT }
