import { execFile } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Figure } from './figure.ts'
import { scalingCases } from './scaling/cases.ts'
import { scalingFigure } from './scaling/figures.ts'
import type { ScalingCosts } from './scaling/growth.ts'
import { leastOf, type ScalingCase } from './scaling/scaling-case.ts'

/** A large young generation keeps the cost of moving objects out of the measurements. This cost depends on the size. */
const nodeOptions = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']

/** Caches the compiled mock, because compiling it takes most of a process's start time. */
const compileCache = join(tmpdir(), 'health-lab-sdk-compile-cache')

/** The maximum number of processes for a case that exceeds its limit. */
const mostProcesses = 6

const run = promisify(execFile)

/** Measures each case in its own processes, as many cases at a time as the machine has CPUs. */
export default async function (isFull: boolean): Promise<Figure[]> {
  const figures = new Map([...scalingCases.keys()].map((name): [string, Figure[]] => [name, []]))
  const remaining = scalingCases.entries()
  const measureRemaining = async () => {
    for (const [name, found] of remaining) {
      process.stderr.write(`  ${name}\n`)
      figures.set(name, [await figureOf(name, found, isFull)])
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, measureRemaining))
  return [...figures.values()].flat()
}

/** Measures a case, and repeats it in another process while it exceeds its limit. */
async function figureOf(name: string, found: ScalingCase, isFull: boolean): Promise<Figure> {
  let costs = await measure(name, isFull)
  let figure = scalingFigure(name, found, costs)
  for (let process = 1; process < mostProcesses && !figure.isWithin; process += 1) {
    costs = combine(costs, await measure(name, isFull))
    figure = scalingFigure(name, found, costs)
  }
  return figure
}

/** Takes the lower cost for each size, because other programs on the machine can only increase costs. */
function combine(one: ScalingCosts, other: ScalingCosts): ScalingCosts {
  return {
    sizes: one.sizes,
    microseconds: leastOf(one.microseconds, other.microseconds),
    bytes: Math.min(one.bytes, other.bytes),
    ...(one.ofMap && other.ofMap ? { ofMap: leastOf(one.ofMap, other.ofMap) } : {}),
  }
}

async function measure(name: string, isFull: boolean): Promise<ScalingCosts> {
  const options = isFull ? ['--full'] : []
  const command = [...nodeOptions, 'bench/scaling/task.ts', name, ...options]
  const { stdout } = await run(process.execPath, command, {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  return JSON.parse(stdout)
}
