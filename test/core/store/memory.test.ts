import { StoreClient } from '../../../core/store/client.ts'
import { MemoryDriver } from '../../../core/store/memory.ts'
import { conformance } from './conformance.ts'

conformance({ name: 'memory', open: async (options) => new StoreClient(new MemoryDriver(options)) })
