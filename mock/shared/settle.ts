/**
 * The maximum number of steps that `settle` waits. Code that needs more steps is waiting for something external, such
 * as time or the network.
 */
export const mostSteps = 100

/**
 * Waits up to {@link mostSteps} steps until a condition holds, and returns whether it does. Use it only for code that
 * does not wait for time or the network, such as a mock that receives a request.
 *
 * @param step Waits for one step. Default: awaits one promise. Use `nextTurn` for code that schedules tasks, as in MSW.
 */
export async function settle(
  isSettled: () => boolean,
  step: () => Promise<void> = async () => {},
): Promise<boolean> {
  for (let steps = 0; steps < mostSteps && !isSettled(); steps += 1) await step()
  return isSettled()
}
