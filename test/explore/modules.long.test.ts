import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExploreError, type ExploreModuleOptions, explore } from 'health-lab-sdk/mock/explore'
import { beforeEach, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../support/files.ts'
import { sampled } from '../support/long-tests.ts'

// The programs write to temporary folders, in threads and processes that may be ended before they clean up.
beforeEach(() => {
  vi.stubEnv('TMPDIR', temporaryFolder())
  return () => vi.unstubAllEnvs()
})

/** Returns the options of one of the programs. */
function moduleOf(program: string, options: Partial<ExploreModuleOptions> = {}) {
  const module = new URL(`./modules/programs.ts?program=${program}`, import.meta.url)
  return { module, workers: 2, budget: { runs: 100 }, print: () => {}, ...options }
}

async function failureOf(running: Promise<unknown>): Promise<ExploreError> {
  const error = await running.catch((reason: unknown) => reason)
  if (error instanceof ExploreError) return error
  throw error
}

const places = sampled([{}, { isolate: 'worker' }, { isolate: 'process' }] as const, 2)

it.each(places)('finds and replays a bug of a program in a module, with %j', async (place) => {
  const options = moduleOf('forgets', place)
  const error = await failureOf(explore(options))
  const line = expect.stringMatching(/^test\/explore\/modules\/programs\.ts:\d+$/)
  expect(error).toMatchObject({
    ...{ violation: 'lost', line },
    replay: 'v1 1 request:orders.create#1=lose_response',
  })
  const replayed = await failureOf(explore.replay(error.replay, options))
  expect([replayed.replay, replayed.line]).toEqual([error.replay, error.line])
})

it.each(places)('raises no alarm for a correct program in a module, with %j', async (place) => {
  const report = await explore(moduleOf('correct', { ...place, budget: { runs: 12 } }))
  expect(report).toMatchObject({ ended: 'budget', nondeterminism: [] })
})

it.each(places)('accepts a default export compiled to CommonJS, with %j', async (place) => {
  const module = join(temporaryFolder(), 'program.cjs')
  const scenario = "({ connection }) => connection.fetch(connection.baseUrl + '/v2/providers')"
  const text = `exports.default = { setup: () => ({}), scenario: ${scenario}, check() {} }`
  writeFileSync(module, `Object.defineProperty(exports, '__esModule', { value: true })\n${text}`)
  const report = await explore.replay('v1 1', { ...moduleOf(''), ...place, module })
  expect(report.runs).toBe(1)
})

it('has the same result with one thread and with two', async () => {
  const [one, two] = [
    await explore(moduleOf('correct', { workers: 1 })),
    await explore(moduleOf('correct', { workers: 2 })),
  ]
  expect(two).toEqual(one)
  const all = { all: true, budget: { runs: 60 } }
  const [first, second] = [
    await failureOf(explore(moduleOf('forgets', { workers: 1, ...all }))),
    await failureOf(explore(moduleOf('forgets', { workers: 2, ...all }))),
  ]
  expect(second.findings).toEqual(first.findings)
  expect(second.report).toEqual(first.report)
})

it.each(['worker', 'process'] as const)(
  'ends the %s of a program that crashes',
  async (isolate) => {
    const crash = 'v1 1 request:link.listProviders#1=crash_after'
    expect(await explore.replay(crash, moduleOf('survives', { isolate }))).toMatchObject({
      runs: 2,
    })
  },
)

it.each(places)('ends a program that blocks its thread, with %j', async (place) => {
  const error = await failureOf(explore(moduleOf('blocks', { ...place, runTimeout: 15_000 })))
  expect(error.violation).toBe('endless')
  expect(error.replay).toContain('request:link.listProviders#1=')
})

it.each(places)('reports a timer that throws after a failure, with %j', async (place) => {
  const replay = 'v1 1 request:link.listProviders#1=error_before'
  const error = await failureOf(explore.replay(replay, moduleOf('throwsLater', place)))
  expect(error).toMatchObject({
    violation: 'rejections',
    message: expect.stringContaining('nobody handles this'),
  })
})

it.each(places)('waits for a short timer after the scenario, with %j', async (place) => {
  const report = await explore.replay('v1 1', moduleOf('endsEarly', place))
  expect(report.runs).toBe(1)
})

it.each(places)('ends a run when the program has ended, with %j', async (place) => {
  const report = await explore.replay('v1 1', moduleOf('isFinished', place))
  expect(report.runs).toBe(1)
})

it.each(places)('reports an error that is its own cause, with %j', async (place) => {
  const error = await failureOf(explore(moduleOf('circular', place)))
  expect(error).toMatchObject({
    violation: 'scenario',
    message: expect.stringContaining('a circle'),
  })
})

it.each(places)('reports a thrown value that cannot be read, with %j', async (place) => {
  for (const program of ['unreadable', 'unreadableLater']) {
    const error = await failureOf(explore(moduleOf(program, place)))
    expect(error.message).toContain('a value that cannot be converted to a string')
  }
})

it('reports a context that cannot be sent to a process', async () => {
  const error = await failureOf(explore(moduleOf('shares', { isolate: 'process' })))
  expect(error.message).toContain('The context contains a value that cannot be sent to a process')
  expect(error.message).toContain('SharedArrayBuffer')
})

it('reports a program that ends its own process', async () => {
  const error = await failureOf(explore(moduleOf('exits', { isolate: 'process' })))
  expect(error.message).toContain("The program's process ended unexpectedly: exit code 3")
  await expect(explore(moduleOf('exits'))).rejects.toThrow('exit code 3')
})

it('rejects a module that never loads', async () => {
  await expect(explore(moduleOf('hangs', { runTimeout: 400 }))).rejects.toThrow(
    'did not load within 4000 ms',
  )
})

it.each([
  [{ module: './missing.ts' }, 'missing.ts'],
  [moduleOf('none'), 'to be the options for explore.'],
  [moduleOf('correct', { workers: 0 }), 'options.workers'],
  [{ ...moduleOf('correct'), scenario: () => {} }, 'scenario'],
])('rejects %j', async (options, message) => {
  await expect(explore(options)).rejects.toThrow(message)
})
