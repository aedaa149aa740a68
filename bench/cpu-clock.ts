const cell = new Int32Array(new SharedArrayBuffer(4))

/**
 * Returns the main thread's CPU time. Linux updates a running thread's time only every few milliseconds, or when the
 * thread stops. A short sleep makes the time exact.
 */
export function cpuMicroseconds(): number {
  return microsecondsOf(() => process.threadCpuUsage())
}

/** Includes all threads of this process. */
export function processMicroseconds(): number {
  return microsecondsOf(() => process.cpuUsage())
}

function microsecondsOf(read: () => NodeJS.CpuUsage): number {
  Atomics.wait(cell, 0, 0, 0.01)
  const { user, system } = read()
  return user + system
}
