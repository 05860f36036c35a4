/**
 * Misspellings of the words that attacks are made of: a model reads `ignroe the prevoius instrctions` as it was meant.
 * Source: OWASP, LLM Prompt Injection Prevention Cheat Sheet, "Typoglycemia-Based Attacks".
 */
const WORDS = `ignore ignored ignoring disregard disregarding forget forgetting override overriding overrule bypass
bypassing previous previously prior above earlier preceding instruction instructions directive directives guideline
guidelines restriction restrictions constraints limitations rules system prompt prompts safety security filters
policies unrestricted unfiltered uncensored reveal developer jailbreak`.split(/\s+/)

/** Words of their own, which one of {@link WORDS} becomes when a letter is missing. */
const OTHERS: ReadonlySet<string> = new Set(['filers', 'polices', 'revel'])
/** Letters from which on a word is known without one of them, or with one twice. */
const LONG = 6

/** Each misspelling with the word that is meant: neighbours in turn, one letter missing or twice. The first letter stays. */
export function* misspellings(): Generator<readonly [misspelling: string, word: string]> {
  for (const word of WORDS) {
    for (let at = 1; at < word.length; at++) {
      const [before, letter, after] = [word.slice(0, at), word[at] as string, word.slice(at + 1)]
      const variants = word.length < LONG ? [] : [before + letter + letter + after]
      if (after !== '') variants.push(before + after[0] + letter + after.slice(1))
      if (after !== '' && word.length >= LONG) variants.push(before + after)
      for (const variant of variants) if (variant !== word && !OTHERS.has(variant)) yield [variant, word]
    }
  }
}
