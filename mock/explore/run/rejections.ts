import { currentTask } from './program.ts'

type Listener = (error: unknown, promise: Promise<unknown>) => void

/** Undefined in browsers. In some workers, `process` has no event methods. */
const { process }: { process?: Partial<NodeJS.Process> } = globalThis

let runsInProgress = 0

/** The test runner's listeners, which are removed while runs are in progress. */
let others: Listener[] = []

/**
 * Collects unhandled rejections in the program that caused them, until the returned function is called. Meanwhile, the
 * test runner receives only rejections from other code.
 */
export function watchRejections(): () => void {
  if (runsInProgress === 0) replaceListeners()
  runsInProgress += 1
  return () => {
    runsInProgress -= 1
    if (runsInProgress === 0) restoreListeners()
  }
}

function replaceListeners(): void {
  others = process?.listeners?.('unhandledRejection') ?? []
  for (const other of others) process?.off?.('unhandledRejection', other)
  process?.on?.('unhandledRejection', collect)
}

function restoreListeners(): void {
  process?.off?.('unhandledRejection', collect)
  for (const other of others) process?.on?.('unhandledRejection', other)
  others = []
}

function collect(error: unknown, promise: Promise<unknown>): void {
  const program = currentTask()?.program
  if (program) {
    program.addRejection(error)
    return
  }
  for (const other of others) other(error, promise)
  if (others.length > 0) return
  // Without listeners, Node also throws the error.
  queueMicrotask(() => {
    throw error
  })
}
