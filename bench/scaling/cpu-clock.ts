const cell = new Int32Array(new SharedArrayBuffer(4))

/**
 * Returns the CPU time of the main thread in microseconds. Linux counts the time of a running thread only when it stops or
 * every few milliseconds; after a short sleep the time is exact.
 */
export function cpuMicroseconds(): number {
  Atomics.wait(cell, 0, 0, 0.01)
  const { user, system } = process.threadCpuUsage()
  return user + system
}
