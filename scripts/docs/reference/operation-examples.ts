import { readFileSync } from 'node:fs'
import { operations } from '../../../src/contract/operations.ts'

/** The handwritten part of an operation's page. */
export interface OperationExample {
  id: string
  program: string
  /** The events that the call triggers, and notes about the mock. */
  notes: string
}

export function operationExamples(): OperationExample[] {
  const text = readFileSync(new URL('operation-examples.md', import.meta.url), 'utf8')
  const examples = text.split(/^## /m).slice(1).map(readExample)
  const missing = operations.find(
    ({ id, deprecated }) => !deprecated && examples.every((example) => example.id !== id),
  )
  if (missing) throw new Error(`Add an example of ${missing.id} to operation-examples.md.`)
  return examples
}

function readExample(section: string): OperationExample {
  const [, id = '', program = '', notes = ''] =
    /^(\S+)\n\n```ts\n([\s\S]*?)```\n\n([\s\S]*)$/.exec(section) ?? []
  if (!notes) throw new Error(`The example of ${section.split('\n')[0]} needs a program and notes.`)
  return { id, program, notes: notes.trim() }
}
