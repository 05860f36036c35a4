/** Reads repositories about models, whose texts share their words with attacks. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Repositories about models and prompts: manuals, notebooks, and code that has prompts. */
export const ABOUT_MODELS = [
  'Prompt-Engineering-Guide',
  'anthropic-cookbook',
  'NeMo-Guardrails',
  'dspy',
  'langchainjs',
  'TypeChat',
  'promptbench',
  'chatbot-ui',
  'pydantic-ai',
  'awesome-cursorrules',
  'instructor',
  'openai-agents-python',
  'mistral-cookbook',
]
/** What quotes attacks teaches nothing of ordinary texts. */
const QUOTES_ATTACKS =
  /\b(?:ignore|disregard|forget)\w* (?:(?:all|any|the|your|my) )*(?:previous|prior|above|earlier|preceding|instructions?)|jailbr|do anything now|prompt (?:injection|leak)|adversarial prompt/i

/** Pieces of files as tools return them, of each file a few: long ones, and short ones as a search returns. */
export function aboutModels(folder: string): { readonly long: string[]; readonly short: string[] } {
  const texts = (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /\.(?:mdx?|mdc|cursorrules|rst|ipynb|py|[jt]sx?|ya?ml)$/.test(name))
    .sort()
    .flatMap((name) => {
      // A folder may have the name of a file.
      const path = join(folder, name)
      if (!statSync(path).isFile()) return []
      const text = readFileSync(path, 'utf8')
      return [name.endsWith('.ipynb') ? cellsOf(text) : text]
    })
  const harmless = (all: string[]): string[] => all.filter((text) => !QUOTES_ATTACKS.test(text))
  return {
    long: harmless(texts.flatMap((text) => pieces(text, 3000).slice(0, 8))),
    short: harmless(texts.flatMap(shortPieces)),
  }
}

/** Of a file at most 24 pieces of 200 to 800 characters, spread over it. */
function shortPieces(text: string): string[] {
  const all: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + 200 * (1 + (all.length % 4))
    all.push(text.slice(at, end))
    at = end
  }
  const step = Math.ceil(all.length / 24)
  return all.filter((_, index) => index % step === 0)
}

const cellsOf = (notebook: string): string =>
  (JSON.parse(notebook) as { cells: { source: string | string[] }[] }).cells
    .map(({ source }) => [source].flat().join(''))
    .join('\n\n')

export const pieces = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length))
