import { execFileSync } from 'node:child_process'
import type { Figure } from './figure.ts'
import { scalingCases } from './scaling/cases.ts'
import type { ScalingCase, ScalingResult } from './scaling/scaling-case.ts'

/** The greatest exponents. A sum of linear costs and of a sort is a little above 1. */
const limits = { linear: 1.15, constant: 0.15 }

/** How much memory a unit of some cases may keep, in bytes. */
const memoryLimits = new Map([
  ['records.teams', 5 * 1024],
  ['records.users', 150],
  ['records.connections', 2 * 1024],
])

/** The large young generation keeps the cost of moving objects, which depends on the size, out of the measurements. */
const nodeOptions = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']

/** How often a case is measured until it is within its limits: other programs disturb a measurement. */
const attempts = 3

/** Measures each case in a process of its own. */
export default function (isBounded: boolean): Figure[] {
  return [...scalingCases].map(([name, found]) => {
    process.stderr.write(`  ${name}\n`)
    let figure = figureOf(name, found, measure(name, isBounded))
    for (let attempt = 1; attempt < attempts && !figure.isWithin; attempt += 1) {
      figure = figureOf(name, found, measure(name, isBounded))
    }
    return figure
  })
}

function measure(name: string, isBounded: boolean): ScalingResult {
  const options = isBounded ? ['--bounded'] : []
  const command = [...nodeOptions, 'bench/scaling/task.ts', name, ...options]
  const output = execFileSync(process.execPath, command, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output)
}

function figureOf(name: string, { what, growth }: ScalingCase, result: ScalingResult): Figure {
  const { exponent, microseconds, bytes, size } = result
  const limit = limits[growth]
  const most = memoryLimits.get(name)
  const perUnit = `${Number(microseconds.toPrecision(2))} us and ${Math.max(0, Math.round(bytes))} bytes each`
  const found = growth === 'linear' ? `, ${perUnit}` : ''
  return {
    what,
    found: `${exponent.toFixed(2)} up to ${size.toLocaleString('en-US')}${found}`,
    limit: most ? `at most ${limit}, ${most} bytes` : `at most ${limit}`,
    isWithin: exponent <= limit && (most === undefined || bytes <= most),
  }
}
