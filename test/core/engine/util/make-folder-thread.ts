/** Makes folders that its siblings make, too, as soon as all of them are there. */
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { makeFolder } from '../../../../core/engine/util/make-folder.ts'

const { root, left } = workerData as { root: string; left: Int32Array }
if (Atomics.sub(left, 0, 1) === 1) Atomics.notify(left, 0)
for (let now = Atomics.load(left, 0); now > 0; now = Atomics.load(left, 0)) Atomics.wait(left, 0, now)
for (let i = 0; i < 50; i++) makeFolder(join(root, `${i}/a/b/c`))
