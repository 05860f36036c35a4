/** Classes that still fail, each with its reason. A case is left out when it has all tags of an entry. */
export const PENDING: readonly { readonly tags: readonly string[]; readonly reason: string }[] = []

export const isPending = (tags: readonly string[]): boolean =>
  PENDING.some((entry) => entry.tags.every((tag) => tags.includes(tag)))

/** Faults of what is kept or was told elsewhere, likewise. */
export const PENDING_KEPT: readonly { readonly fault: string; readonly reason: string }[] = []

export const isPendingKept = (faults: readonly string[]): boolean =>
  faults.every((fault) => PENDING_KEPT.some((entry) => entry.fault === fault))
