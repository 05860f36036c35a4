/** What plugins share, as `governed-gateway/kit`. */
export { allowedValues, isLooser, parseFlag } from '../flags.ts'
export { type KeywordHit, type KeywordOptions, Keywords } from './keywords.ts'
