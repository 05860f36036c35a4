/**
 * Runs the test files it is given in this process, as `node --test --test-isolation=none` does. Node.js follows each
 * promise, timer and socket to its test with `async_hooks`, which makes an `await` twenty times as slow. Here the context
 * that goes along with asynchronous calls anyway (`AsyncLocalStorage`) says to which test belongs what is thrown later.
 */
import type { AsyncHook, AsyncLocalStorage, HookCallbacks } from 'node:async_hooks'
import { createRequire, flushCompileCache } from 'node:module'

type Fn = (...args: unknown[]) => unknown

interface Scope {
  asyncId(): number
  runInAsyncScope(fn: Fn, self?: unknown, ...args: unknown[]): unknown
}

interface Hooks {
  AsyncLocalStorage: new () => AsyncLocalStorage<number>
  AsyncResource: { prototype: Scope }
  createHook(callbacks: HookCallbacks): AsyncHook
  executionAsyncId(): number
}

const hooks = createRequire(import.meta.url)('node:async_hooks') as Hooks
const { executionAsyncId } = hooks
const { runInAsyncScope } = hooks.AsyncResource.prototype
const current = new hooks.AsyncLocalStorage()
let register: HookCallbacks['init']

// What the runner takes when it loads, below: it looks up tests by these numbers.
hooks.createHook = ({ init }) => {
  register = init
  const hook: AsyncHook = { enable: () => hook, disable: () => hook }
  return hook
}
hooks.executionAsyncId = () => current.getStore() ?? executionAsyncId()
hooks.AsyncResource.prototype.runInAsyncScope = function (fn, self, ...args) {
  if (!/^(?:Suite|Test|TestHook)$/.test(this.constructor.name)) return runInAsyncScope.call(this, fn, self, ...args)
  const id = this.asyncId()
  if (this.constructor.name !== 'Suite') costs?.enter(this)
  register?.(id, this.constructor.name, 0, this)
  return runInAsyncScope.call(this, () => current.run(id, () => fn.apply(self, args)))
}

const costs = process.env.TEST_COSTS === undefined ? undefined : await import('./helpers/costs.ts')
const { run } = await import('node:test')
const { spec } = await import('node:test/reporters')
const { forgetAfter } = await import('./helpers/forget-after.ts')
const { shareThread } = await import('./helpers/share-thread.ts')
shareThread()

const events = run({ files: process.argv.slice(2), isolation: 'none' })
forgetAfter()
// What was compiled serves groups that start from now on, not only once this one has ended.
events.once('test:complete', () => flushCompileCache())
events.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1
})
events.compose(spec).pipe(process.stdout)
