/**
 * Watches the event loop of this process. Returns a function that returns the CPU time of the longest turn since its
 * last call, in milliseconds. Other programs on the machine do not affect this time.
 */
export function watchTurns(): () => number {
  let longest = 0
  let end = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage()
    longest = Math.max(longest, user + system - end.user - end.system)
    end = { user, system }
  }, 1)
  return () => {
    const milliseconds = longest / 1000
    longest = 0
    return milliseconds
  }
}
