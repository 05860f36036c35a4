/** A fresh copy of the repository, as `git clone` and `npm ci` leave it. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { ALLOCATION } from '../helpers/cli.ts'

export interface Copy {
  readonly root: string
  /** For files of the test itself. */
  readonly aside: string
  /** What a reader's shell has, with a home of its own. */
  readonly env: Record<string, string>
  remove(): void
}

const ignored = readFileSync(join(PACKAGE_ROOT, '.gitignore'), 'utf8').split('\n')
const SKIPPED = new Set(['.git', ...ignored.map((line) => line.replaceAll('/', ''))])
// `npm ci` builds it. A start from the sources, with nothing compiled before, takes three times as long.
SKIPPED.delete('dist')

/** The copies of this process lie where earlier ones lay: what V8 compiled for these is taken by the path. */
let folders: string | undefined
const taken = new Set<string>()

function takeFolder(): string {
  if (folders === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'gw-docs-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    folders = made
  }
  let folder = join(folders, '0')
  for (let n = 1; taken.has(folder); n += 1) folder = join(folders, String(n))
  taken.add(folder)
  return folder
}

/** @param direct `npm start` and `npm run -s gateway` do without npm, which takes longer than most commands */
export function freshCopy(direct: boolean): Copy {
  const folder = takeFolder()
  const root = join(folder, 'governed-gateway')
  const aside = join(folder, 'aside')
  const commands = join(aside, 'bin')
  for (const path of [folder, root, aside, commands]) mkdirSync(path)
  // Of the tests a reader runs nothing here, and there are many.
  const names = readdirSync(PACKAGE_ROOT).filter((name) => !SKIPPED.has(name) && name !== 'test')
  // Keeps the times of the files to the nanosecond, by which `core/bin.js` knows that `dist` fits the sources.
  execFileSync('cp', ['-a', ...names.map((name) => join(PACKAGE_ROOT, name)), root])
  symlinkSync(join(PACKAGE_ROOT, 'node_modules'), join(root, 'node_modules'))
  // npm puts its own folders in front when it runs the tests; a reader's shell has none of them.
  const path = (process.env.PATH ?? '').split(delimiter).filter((part) => !part.includes('node_modules'))
  const npm = path.map((part) => join(part, 'npm')).find((file) => existsSync(file)) ?? 'npm'
  writeFileSync(join(commands, 'npm'), npmFor(npm, direct ? root : undefined), { mode: 0o755 })
  return {
    root,
    aside,
    env: {
      ...ALLOCATION,
      // Most of what a command takes is reading the same modules again.
      NODE_COMPILE_CACHE: join(dirname(folder), 'cache'),
      PATH: [commands, ...path].join(delimiter),
      HOME: aside,
      LANG: 'C.UTF-8',
      npm_config_update_notifier: 'false',
    },
    remove() {
      rmSync(folder, { recursive: true, force: true })
      taken.delete(folder)
    },
  }
}

/** The packages are linked: `npm ci` has nothing to do, and what else changes them would reach the repository. */
const npmFor = (npm: string, root: string | undefined): string => `#!/bin/sh
${root === undefined ? '' : shortcut(root)}
case "$1" in
  ci) exit 0 ;;
  start | run) exec '${npm}' "$@" ;;
esac
echo "npm $1 is not for a copy with linked packages" >&2
exit 1
`

/** What the scripts of package.json do. */
const shortcut = (root: string): string => `
gateway() { cd '${root}' && exec node_modules/.bin/node core/bin.js "$@"; }
case "$*" in
  start) gateway start ;;
  "start -- "*) shift 2; gateway start "$@" ;;
  "run -s gateway -- "*) shift 4; gateway "$@" ;;
esac`
