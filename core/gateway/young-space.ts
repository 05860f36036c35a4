import { setFlagsFromString } from 'node:v8'

/** `core/bin.js` keeps V8's space for young objects small during the start; from now on it may grow with the load. */
export const growYoungSpace = (): void => setFlagsFromString('--semi-space-growth-factor=2')
