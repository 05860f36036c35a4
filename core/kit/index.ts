/** What plugins share, as `governed-gateway/kit`. */
export { allowedValues, isLooser, parseFlag } from '../flags.ts'
export { matchesGlob } from '../glob.ts'
export { type KeywordHit, type KeywordOptions, Keywords } from './keywords.ts'
export { PATTERN_WINDOW, type PatternHit, type PatternOptions, Patterns } from './patterns.ts'
export { concerns, type RequestRuleOptions, requestRuleProperties } from './request-rule.ts'
export { TextRule, type TextRuleOptions, textRuleProperties } from './text-rule.ts'
