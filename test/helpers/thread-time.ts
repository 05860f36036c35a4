/** CPU time of this thread, milliseconds: what others do on the machine, or other threads of the process, does not count. */
export function threadTime(): number {
  // Linux brings the account of the running thread up to date only when the whole process is asked about; without
  // that the time of a thread goes in steps of four milliseconds.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What a call costs. */
export function costOf(run: () => void): number {
  const before = threadTime()
  run()
  return threadTime() - before
}
