import { format } from 'node-inspect-extracted'
import { maxLines, type Report } from '../messages.ts'
import { lineOf, runProgram } from './program.ts'

/**
 * Runs one program in a worker of the sandbox. The message contains its blocks; reports are sent back. The page ends the
 * worker to stop the program.
 */
addEventListener('message', ({ data }) => start(data), { once: true })

/** The index of the running block. */
let part = 0
let lines = 0
let blocks: string[] = []

async function start(parts: string[]): Promise<void> {
  blocks = parts
  for (const name of ['log', 'info', 'debug', 'warn', 'error'] as const) console[name] = print
  addEventListener('unhandledrejection', ({ reason }) => fail(reason))
  try {
    await runProgram(parts, (place) => {
      part = place
    })
  } catch (error) {
    fail(error)
  }
  report({ kind: 'done' })
}

function print(...values: unknown[]): void {
  lines += 1
  if (lines > maxLines) return
  const text = lines < maxLines ? format(...values) : `… the program printed ${maxLines} lines`
  report({ kind: 'output', part, text: withoutStack(text) })
}

function fail(error: unknown): void {
  const text = error instanceof Error ? describeError(error) : format(error)
  report({ kind: 'error', part, text })
}

function describeError(error: Error): string {
  const line = lineOf(error, part, blocks)
  const place = line === undefined ? '' : `\n    in line ${line} of the block`
  return `${error.name}: ${error.message}${place}`
}

/** Removes stack frames, because they name files that readers do not have. */
function withoutStack(text: string): string {
  return text.replace(/\n\s+at .*/g, '')
}

function report(message: Report): void {
  postMessage(message)
}
