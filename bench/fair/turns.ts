/**
 * Watches the event loop of this process. Returns a function that returns the longest turn since its latest call: the CPU
 * milliseconds of the main thread, which other programs on the machine do not change.
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
