/** Classes that still fail, each with its reason. A case is left out when it has all tags of an entry. */
export const PENDING: readonly { readonly tags: readonly string[]; readonly reason: string }[] = [
  'output:responses',
  'stored:get responses',
].map((name) => ({
  tags: [`place:${name}-refusal-before-text`, 'indexes:missing'],
  reason:
    'Without indexes, the text behind a refusal in a finished item is read behind the text that grew, not behind it.',
}))

export const isPending = (tags: readonly string[]): boolean =>
  PENDING.some((entry) => entry.tags.every((tag) => tags.includes(tag)))

/** Faults of what is kept or was told elsewhere, likewise. */
export const PENDING_KEPT: readonly { readonly fault: string; readonly reason: string }[] = []

export const isPendingKept = (faults: readonly string[]): boolean =>
  faults.every((fault) => PENDING_KEPT.some((entry) => entry.fault === fault))
