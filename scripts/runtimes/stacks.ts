import { createMock } from '../../mock/index.ts'
import { past, query, ServiceClient, ServiceError, sum } from '../../src/index.ts'
import { recipe, userId } from '../../test/support/samples.ts'

/** The mock responds to each operation with status 400, from its `nth` request. */
function start(nth = 1): ServiceClient {
  const team = createMock({ seed: 42 }).team()
  team.faults.add({ when: { nth }, then: { status: 400 } })
  return new ServiceClient({ ...team.connection(), maxConcurrency: 1, maxRetries: 0 })
}

const request = {
  timeframe: past(1, 'day', '2025-06-01'),
  queries: [query(sum('activity', 'steps'))],
}

/** Records the line from which it is called. */
type Mark = <T>(value: T) => T

/** The cases. Each calls a method on a marked line, and returns or throws the error. */
const cases: Record<string, (mark: Mark) => Promise<unknown>> = {
  async 'an awaited call'(mark) {
    const client = start()
    await mark(client).link.listProviders()
  },

  async 'a call that is awaited later'(mark) {
    const client = start()
    const call = mark(client.users).createSignInToken(userId)
    const caught = call.catch((error) => error)
    await new Promise((resolve) => setTimeout(resolve, 1))
    return caught
  },

  async 'Promise.all'(mark) {
    const { link, labTests } = start()
    const other = labTests.listMarkers().catch(() => {})
    await Promise.all([other, mark(link).listProviders()])
  },

  async 'an invalid argument'(mark) {
    const client = start()
    await mark(client.users).createSignInToken('')
  },

  async 'a later page of a for await loop'(mark) {
    const { labTests } = start(2)
    for await (const marker of mark(labTests).listMarkers({ size: 1 })) void marker
  },

  async 'a later page of pages()'(mark) {
    const { labTests } = start(2)
    for await (const page of mark(labTests).listMarkers({ size: 1 }).pages()) void page
  },

  async 'a batch of bulkImportAll'(mark) {
    const { link } = start(2)
    const report = await mark(link).bulkImportAll('oura', [recipe, recipe], { batchSize: 1 })
    return report.failures[0]?.error
  },

  async 'a user of queryEach'(mark) {
    const { aggregate } = start(2)
    const errors: unknown[] = []
    for await (const { error } of mark(aggregate).queryEach([userId, userId], request)) {
      errors.push(error)
    }
    return errors[1]
  },
}

/** Checks that the first stack frame of each error is the line of the call. Returns the number of cases. */
export async function checkStacks(): Promise<number> {
  for (const [name, run] of Object.entries(cases)) {
    let line = 'no marked line'
    const mark: Mark = (value) => {
      line = callerOf(new Error('the frames of the mark').stack)
      return value
    }
    const error: unknown = await run(mark).catch((reason) => reason)
    const isPassed = error instanceof ServiceError && framesOf(error.stack)[0]?.includes(line)
    if (!isPassed)
      throw new Error(`${name}: ${line} does not begin ${Object(error).stack ?? error}`)
  }
  return Object.keys(cases).length
}

/** Returns the file and line of the second frame, such as `stacks.js:12:`. */
function callerOf(stack = ''): string {
  return /[\w.-]+:\d+:/.exec(framesOf(stack)[1] ?? '')?.[0] ?? `line in ${stack}`
}

function framesOf(stack = ''): string[] {
  return stack.split('\n').filter((frame) => /^ +at /.test(frame))
}
