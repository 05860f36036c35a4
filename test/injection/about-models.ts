/** Reads repositories about models, whose texts share their words with attacks. */
import { readdirSync, readFileSync } from 'node:fs'
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
]
/** What quotes attacks teaches nothing of ordinary texts. */
const QUOTES_ATTACKS =
  /\b(?:ignore|disregard|forget)\w* (?:(?:all|any|the|your|my) )*(?:previous|prior|above|earlier|preceding|instructions?)|jailbr|do anything now|prompt (?:injection|leak)|adversarial prompt/i

/** Pieces of files as tools return them, of each file a few. */
export const aboutModels = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /\.(?:mdx?|rst|ipynb|py|[jt]sx?|ya?ml)$/.test(name))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return pieces(name.endsWith('.ipynb') ? cellsOf(text) : text, 3000).slice(0, 8)
    })
    .filter((text) => !QUOTES_ATTACKS.test(text))

const cellsOf = (notebook: string): string =>
  (JSON.parse(notebook) as { cells: { source: string | string[] }[] }).cells
    .map(({ source }) => [source].flat().join(''))
    .join('\n\n')

export const pieces = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length))
