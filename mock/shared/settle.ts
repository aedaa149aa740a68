/**
 * Resolves in the next turn of the event loop, at once on platforms without message channels. Fake timers do not replace
 * message channels.
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

/** The most steps of a wait: what takes more of them waits for something else, such as time or the network. */
export const mostSteps = 100

/**
 * Waits step by step until a condition holds, and returns whether it does. This is the one rule for code that needs nothing
 * from outside, such as a request on its way to the mock: it gets 100 steps.
 *
 * @param step Ends a step. Default: one promise. `nextTurn` is for code that uses tasks, such as that of MSW.
 */
export async function settle(
  isSettled: () => boolean,
  step: () => Promise<void> = async () => {},
): Promise<boolean> {
  for (let steps = 0; steps < mostSteps && !isSettled(); steps += 1) await step()
  return isSettled()
}
