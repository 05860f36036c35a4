/**
 * V8's flags for a process of many tests. Gateways start and end by the hundred: with V8's usual megabyte for young objects,
 * a tenth of the time goes into copying what is about to die. Files that measure keep V8's own settings.
 */
export const ROOM: readonly string[] = [
  ...['--min-semi-space-size=32', '--max-semi-space-size=64', '--single-threaded-gc'],
  // Half a gigabyte before the first collection that goes through all objects.
  '--initial-old-space-size=512',
  // A fifth of the time went into optimised code for what runs a few thousand times.
  ...['--invocation-count-for-maglev=1500', '--invocation-count-for-turbofan=30000'],
]
