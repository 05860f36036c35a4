/** Makes folders that its siblings make, too. */
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { makeFolder } from '../../../../core/engine/util/make-folder.ts'

for (let i = 0; i < 500; i++) makeFolder(join(workerData, `${i}/a/b/c`))
