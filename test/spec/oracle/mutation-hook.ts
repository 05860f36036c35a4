/**
 * Runs a script with a mutated gateway: `node …/mutation-hook.ts SCRIPT…`. Applies textual patches to source files as they
 * are loaded. Node strips the types itself, so that no other loader is in the way. No `--import`: threads would inherit it.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { applyEdit, type Edit, type Mutation } from './mutation.ts'

const mutations = JSON.parse(process.env.ORACLE_MUTATIONS ?? '[]') as Mutation[]
const root = process.env.ORACLE_ROOT ?? ''
const waiting = new Map<string, { name: string; edit: Edit }[]>()
for (const { name, edits } of mutations) {
  for (const edit of edits) {
    const url = pathToFileURL(root + edit.file).href
    waiting.set(url, [...(waiting.get(url) ?? []), { name, edit }])
  }
}

registerHooks({
  load(asked, context, nextLoad) {
    const patches = waiting.get(asked)
    if (patches === undefined) return nextLoad(asked, context)
    waiting.delete(asked)
    let source = readFileSync(new URL(asked), 'utf8')
    for (const { name, edit } of patches) source = applyEdit(source, name, edit)
    return { format: 'module-typescript', source, shortCircuit: true }
  },
})

process.on('exit', (code) => {
  for (const [url, [first]] of waiting) {
    if (code !== 0) return
    process.stderr.write(`${url} was never loaded: the mutation ${first?.name} changes nothing\n`)
    process.exitCode = 3
  }
})

process.argv.splice(1, 1)
await import(pathToFileURL(process.argv[1] as string).href)
