import { StoreClient } from '../../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { conformance } from './conformance.ts'

conformance({ name: 'memory', open: async (options) => new StoreClient(new MemoryDriver(options)) })
