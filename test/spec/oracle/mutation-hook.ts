/**
 * Preload of a mutated gateway: `node --import …/mutation-hook.ts`. Applies one textual patch to one source file as it is
 * loaded. Node strips the types itself, so that no other loader is in the way.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { applyMutation, type Mutation } from './mutation.ts'

const given = process.env.ORACLE_MUTATION
if (given === undefined) throw new Error('ORACLE_MUTATION is not set')
const mutation = JSON.parse(given) as Mutation
const url = pathToFileURL(mutation.file).href
let isApplied = false

registerHooks({
  load(asked, context, nextLoad) {
    if (asked !== url) return nextLoad(asked, context)
    isApplied = true
    const source = applyMutation(readFileSync(mutation.file, 'utf8'), mutation)
    return { format: 'module-typescript', source, shortCircuit: true }
  },
})

process.on('exit', (code) => {
  if (!isApplied && code === 0) {
    process.stderr.write(`${mutation.file} was never loaded: the mutation ${mutation.name} changes nothing\n`)
    process.exitCode = 3
  }
})
