/** What plugins share, as `governed-gateway/kit`. */
export { type KeywordHit, type KeywordOptions, Keywords } from './keywords.ts'
