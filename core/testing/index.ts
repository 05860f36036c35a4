/** What plugin tests need, as `governed-gateway/testing`. */
export * from './provider.ts'
export * from './receiver.ts'
export * from './test-plugin.ts'
