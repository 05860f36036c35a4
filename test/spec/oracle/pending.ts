const TWO_TEXTS = [
  'text-two-items',
  'text-two-parts',
  'refusal-before-text',
  'refusal-behind-text',
  'refusal-items-before-text',
  'refusal-items-behind-text',
]

/** Classes that still fail, each with its reason. A case is left out when it has all tags of an entry. */
export const PENDING: readonly { readonly tags: readonly string[]; readonly reason: string }[] = [
  'output:responses',
  'stored:get responses',
].flatMap((api) =>
  TWO_TEXTS.map((place) => ({
    tags: [`place:${api}-${place}`, 'ending:early-stop'],
    reason:
      'A response told so far, between the pieces of a text, that tells a later text before its pieces: in one of 150 cases a value over both texts passes in one of the copies.',
  })),
)

export const isPending = (tags: readonly string[]): boolean =>
  PENDING.some((entry) => entry.tags.every((tag) => tags.includes(tag)))

/** Faults of what is kept or was told elsewhere, likewise. */
export const PENDING_KEPT: readonly { readonly fault: string; readonly reason: string }[] = []

export const isPendingKept = (faults: readonly string[]): boolean =>
  faults.every((fault) => PENDING_KEPT.some((entry) => entry.fault === fault))
