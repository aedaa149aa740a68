/**
 * Resolves on the next turn of the event loop, or immediately on platforms without message channels. Works with fake
 * timers, which do not replace message channels.
 */
export function nextTurn(): Promise<void> {
  if (typeof MessageChannel === 'undefined') return Promise.resolve()
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
