/**
 * Node.js keeps each test to the end of the process, and with it all that `after` closes over:
 * gateways, providers, what they received. In a process of dozens of files that is half a gigabyte, through which each
 * collection of garbage goes. Here a function is forgotten once it ran.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { beforeEach, type TestContext } from 'node:test'

type After = TestContext['after']

function forgetting(register: After): After {
  return function (this: TestContext, fn, options) {
    let left = fn
    const run = (context: TestContext) => {
      const now = left as ((context: TestContext) => unknown) | undefined
      left = undefined
      return now?.(context)
    }
    // One with a callback is told by its number of parameters.
    register.call(this, (fn?.length ?? 0) > 1 ? fn : (run as typeof fn), options)
  }
}

/** Before the tests load, and with the runner of tests at hand. */
export function forgetAfter(): void {
  const runner = createRequire(import.meta.url)('node:test') as { after: After }
  runner.after = forgetting(runner.after)
  syncBuiltinESMExports()

  // The prototype of `t` is only to be had from one.
  let known: object | undefined
  beforeEach((t) => {
    if (known !== undefined || !('after' in t)) return
    known = Object.getPrototypeOf(t) as object
    Object.assign(known, { after: forgetting((known as TestContext).after) })
  })
}
