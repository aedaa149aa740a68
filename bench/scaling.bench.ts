import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './figure.ts'
import { scalingCases } from './scaling/cases.ts'
import { scalingFigure } from './scaling/figures.ts'
import type { ScalingCosts } from './scaling/growth.ts'
import { leastOf } from './scaling/scaling-case.ts'

/** A large young generation keeps the cost of moving objects out of the measurements. This cost depends on the size. */
const nodeOptions = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']

/** Caches the compiled mock, because compiling it takes most of a process's start time. */
const compileCache = join(tmpdir(), 'health-lab-sdk-compile-cache')

/** The maximum number of processes for a case that exceeds its limit. */
const mostProcesses = 6

/** Measures each case in its own processes. */
export default function (isFull: boolean): Figure[] {
  return [...scalingCases].map(([name, found]) => {
    process.stderr.write(`  ${name}\n`)
    let costs = measure(name, isFull)
    let figure = scalingFigure(name, found, costs)
    for (let process = 1; process < mostProcesses && !figure.isWithin; process += 1) {
      costs = combine(costs, measure(name, isFull))
      figure = scalingFigure(name, found, costs)
    }
    return figure
  })
}

/** Returns the lower of two costs for each size, because other programs on the machine can only increase costs. */
function combine(one: ScalingCosts, other: ScalingCosts): ScalingCosts {
  return {
    sizes: one.sizes,
    microseconds: leastOf(one.microseconds, other.microseconds),
    bytes: Math.min(one.bytes, other.bytes),
    ...(one.ofMap && other.ofMap ? { ofMap: leastOf(one.ofMap, other.ofMap) } : {}),
  }
}

function measure(name: string, isFull: boolean): ScalingCosts {
  const options = isFull ? ['--full'] : []
  const command = [...nodeOptions, 'bench/scaling/task.ts', name, ...options]
  const output = execFileSync(process.execPath, command, {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output)
}
