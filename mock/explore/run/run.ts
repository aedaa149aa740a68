import { nextTurn } from '../../../src/shared/next-turn.ts'
import { MockError } from '../../errors.ts'
import type { Team } from '../../team.ts'
import { IsolatedProgram } from '../hosts/isolated-program.ts'
import { readableError } from '../hosts/messages.ts'
import { type Baseline, baselineOf } from '../invariants/records.ts'
import type {
  CheckResult,
  ExploreContext,
  ExploreSettings,
  ExploreTools,
  ServedMock,
} from '../options.ts'
import { environmentChoices } from '../plan/environment.ts'
import { restartChoices } from '../plan/fault-names.ts'
import { faultAt, type Plan } from '../plan/plan.ts'
import { connectProgram, ExploredMock } from './connection.ts'
import { fenceStore } from './fence.ts'
import { finishRun } from './finish-run.ts'
import { Gate } from './gate.ts'
import { programLine } from './lines.ts'
import { watchRejections } from './rejections.ts'
import { captureState, isResource } from './state.ts'
import type { Step } from './steps.ts'
import { watchTimers } from './timers.ts'

interface Ended {
  /** Whether the program ended and, if not, why. */
  end: 'ended' | 'endless' | 'timeout'
  /** The scenario's error, if it rejected before any crash. */
  scenarioError?: { error: unknown }
  restartError?: { error: unknown }
}

interface Checked {
  checked: CheckResult
  checkError?: { error: unknown }
}

export interface RunResult extends Ended, Checked {
  plan: Plan
  steps: readonly Step[]
  team: Team
  before: Baseline
  /** The number of requests and waits. */
  actions: number
  /** The action that exceeded the limit in an endless program, with its stack. */
  lastAction?: Error | undefined
  rejections: readonly unknown[]
}

export async function runOnce<Context extends object>(
  settings: ExploreSettings<Context>,
  plan: Plan,
  actionLimit: number,
): Promise<RunResult> {
  const { seed, serve } = settings
  const planned = faultAt(plan, { kind: 'environment', name: 'run', nth: 1 })
  const environment = environmentChoices.find(({ name }) => name === planned?.fault)
  const options = { journalLimit: 10_000, seed, ...settings.mock, ...environment?.mock }
  const mock = new ExploredMock(options)
  const team = mock.team()
  // The function accepts any mock of the package.
  const server = await serve?.(mock as never, { gracePeriod: 1 })
  if (serve) checkServed(server)
  const gate = new Gate({ team, plan, environment, actionLimit })
  watchReceivers(team, gate)
  const stops = [watchRejections(), watchTimers()]
  try {
    const connection = connectProgram(team, gate, server?.url)
    const current = () => gate.currentProgram()
    const fence = <Store extends object>(store: Store) => fenceStore(store, current)
    const tools = { connection, team, signal: gate.program.signal, fence }
    const context = withTools(await setUp(settings, tools), tools)
    environment?.prepare?.(team)
    return await runProgram({ settings, plan, team, mock, gate, context })
  } finally {
    gate.close()
    for (const stop of stops) stop()
    await server?.close()
  }
}

interface RunParts<Context extends object> {
  settings: ExploreSettings<Context>
  plan: Plan
  team: Team
  mock: ExploredMock
  gate: Gate
  context: ExploreContext<Context>
}

async function runProgram<Context extends object>(parts: RunParts<Context>): Promise<RunResult> {
  const { settings, plan, team, mock, gate, context } = parts
  const before = baselineOf(team)
  gate.open()
  mock.gate = gate
  const ended = await liveAndRestart(parts)
  await nextTurn()
  gate.close()
  const { steps, actions, lastAction } = gate
  const facts = { plan, steps, actions, lastAction, team, before, ...ended }
  const checked = ended.end === 'ended' ? await runCheck(settings, context) : { checked: {} }
  await nextTurn()
  return { ...facts, ...checked, rejections: [...gate.rejections] }
}

/** Runs `scenario`, then `restart` after each crash, until nothing is pending. */
async function liveAndRestart<Context extends object>({
  settings,
  plan,
  team,
  gate,
  context,
}: RunParts<Context>): Promise<Ended> {
  const { scenario, restart, runTimeout } = settings
  const limit = startTimeout(runTimeout)
  const isolated = settings.isolated && new IsolatedProgram(settings.isolated, context)
  const errors: Omit<Ended, 'end'> = {}
  let restoreState = () => {}
  gate.onCrash = () => {
    void isolated?.kill()
    restoreState = captureState(context, [team, context.connection])
  }
  try {
    for (let isRestart = false; ; isRestart = true) {
      const program = isRestart ? gate.restart() : gate.program
      const runMain = async () => {
        if (isolated) return isolated.run(isRestart ? 'restart' : 'scenario', program, context)
        return (isRestart ? restart : scenario)?.(context)
      }
      Object.assign(context, { signal: program.signal })
      const live = async () => {
        await program.run(runMain, true).catch((error: unknown) => {
          errors[isRestart ? 'restartError' : 'scenarioError'] = {
            error: readableError(error),
          }
        })
        program.end()
        await finishRun(team, program, gate)
        return 'ended' as const
      }
      const end = await Promise.race([live(), program.crashed, gate.exceeded, limit.reached])
      if (end === 'timeout' && program.isInBackground) return { end: 'ended', ...errors }
      if (end !== 'crashed') return { end, ...errors }
      await program.rest()
      await isolated?.kill()
      restoreState()
      await passDowntime(team, gate, plan)
      if (!restart) return { end: 'ended', ...errors }
    }
  } finally {
    limit.stop()
    void isolated?.kill()
  }
}

function watchReceivers({ webhooks }: Team, { receiverLines }: Gate): void {
  const add = webhooks.add.bind(webhooks)
  webhooks.add = (input) => {
    const { stack } = new Error()
    const webhook = add(input)
    const line = programLine(stack)
    if (line) receiverLines.set(webhook.id, line)
    return webhook
  }
}

/** Advances the clock by the downtime: deliveries fail, and the rest of the service continues. */
async function passDowntime(team: Team, gate: Gate, plan: Plan): Promise<void> {
  const planned = faultAt(plan, { kind: 'environment', name: 'restart', nth: 1 })
  const choice = restartChoices.find(({ name }) => name === planned?.fault)
  if (choice && !gate.program.isAlive) await team.clock.advance(choice.time)
}

async function runCheck<Context extends object>(
  { check, runTimeout }: ExploreSettings<Context>,
  context: ExploreContext<Context>,
): Promise<Checked> {
  try {
    const result = await limited('check', runTimeout, async () => check?.(context))
    // A check may return a test runner's assertion, which throws when a missing property is read.
    return { checked: Object.hasOwn(Object(result), 'stored') ? Object(result) : {} }
  } catch (error) {
    return { checked: {}, checkError: { error: readableError(error) } }
  }
}

function setUp<Context extends object>(
  { setup, runTimeout }: ExploreSettings<Context>,
  tools: ExploreTools,
): Promise<Context | undefined> {
  return limited('setup', runTimeout, async () => setup?.(tools))
}

async function limited<T>(name: string, runTimeout: number, run: () => Promise<T>): Promise<T> {
  const limit = startTimeout(runTimeout)
  const late = limit.reached.then((): never => {
    throw new MockError(
      'invalid_state',
      `${name} did not finish within ${runTimeout} ms of real time. Increase runTimeout if it is just slow.`,
    )
  })
  return Promise.race([run(), late]).finally(limit.stop)
}

function checkServed(server: Partial<ServedMock> | undefined): void {
  if (typeof server?.url === 'string' && typeof server.close === 'function') return
  throw new MockError(
    'invalid_option',
    'Expected options.serve to return a mock server. Pass the serve function from health-lab-sdk/mock/server.',
  )
}

/** Adds the tools to the context. Copies it only if it is not extensible, because its class may have private fields. */
function withTools<Context extends object>(
  context: Context | undefined,
  tools: ExploreTools,
): ExploreContext<Context> {
  const fenced: Record<string, unknown> = {}
  for (const [name, value] of Object.entries<unknown>({ ...context })) {
    if (isResource(value) && value !== tools.team) fenced[name] = tools.fence(value)
  }
  const added = { ...fenced, ...tools }
  if (context !== undefined && !Object.isExtensible(context)) return { ...context, ...added }
  // Without `setup`, `Context` is the type of an empty object.
  return Object.assign(context ?? ({} as Context), added)
}

function startTimeout(milliseconds: number): { reached: Promise<'timeout'>; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const reached = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), milliseconds)
  })
  return { reached, stop: () => clearTimeout(timer) }
}
