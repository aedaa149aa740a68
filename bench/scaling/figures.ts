import type { Figure } from '../figure.ts'
import { exponentOf, isFixed, isWithinLimit, limitOf, type ScalingCosts } from './growth.ts'
import type { ScalingCase } from './scaling-case.ts'

/** The maximum memory that a unit may keep, in bytes, for some cases. */
const memoryLimits = new Map([
  ['records.teams', 5 * 1024],
  ['records.users', 145],
  ['records.connections', 2 * 1024],
])

const list = new Intl.ListFormat('en-GB')

export function scalingFigure(
  name: string,
  { what, growth }: ScalingCase,
  costs: ScalingCosts,
): Figure {
  const largest = costs.sizes.at(-1) ?? 1
  const exponent = exponentOf(costs).toFixed(2)
  const each = costs.microseconds.map(
    (total, at) => `${Number((total / (costs.sizes[at] ?? 1)).toPrecision(2))} µs`,
  )
  const bytes = Math.max(0, Math.round(costs.bytes))
  const perUnit = isFixed(growth) ? '' : `; ${list.format(each)} per unit; ${bytes} bytes per unit`
  const mostBytes = memoryLimits.get(name)
  return {
    what,
    found: `exponent ${exponent} up to size ${largest.toLocaleString('en-US')}${perUnit}`,
    limit: limitOf(growth) + (mostBytes ? `; at most ${mostBytes} bytes per unit` : ''),
    isWithin: isWithinLimit(growth, costs) && (mostBytes === undefined || bytes <= mostBytes),
  }
}
