import { connectOwner } from './host.ts'
import type { HostTask, OwnerMessage, TesterRequest } from './messages.ts'

/** Handles the messages after the first one. */
let receive: Promise<(message: never) => void> | undefined

const post = connectOwner(async (message) => {
  if (receive) {
    // The owner sends only messages that its host understands.
    ;(await receive)(message as TesterRequest & OwnerMessage as never)
    return
  }
  receive = start(message as HostTask)
})

/** Starts a task. Imports its module on demand, because an isolated program does not need the tester. */
async function start(task: HostTask): Promise<(message: never) => void> {
  if (task.type === 'tester') {
    const { serveTester } = await import('./tester-host.ts')
    return serveTester(task.load, post)
  }
  const { serveProgram } = await import('./program-host.ts')
  return serveProgram(task.start, post)
}
