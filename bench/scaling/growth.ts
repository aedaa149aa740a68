export interface ScalingCosts {
  /** The sizes, ascending. */
  sizes: number[]
  /** The CPU time of the main thread at each size, in microseconds. */
  microseconds: number[]
  /** The CPU time of a `Map` with as many entries, if the case is compared with it. */
  ofMap?: number[]
  /** The memory that a unit keeps at the largest size, in bytes. */
  bytes: number
}

interface Limit {
  isWithin: (exponent: number) => boolean
  /** The limit, as shown in the table. */
  text: string
  isComparedWithMap?: boolean
  /** Whether each size does the same amount of work. */
  isFixed?: boolean
}

const linear = (exponent: number) => exponent <= 1.15

/**
 * The ways in which costs may grow:
 * - `linear`: with the size. Linear costs that include a sort have an exponent slightly above 1.
 * - `constant`: a fixed amount of work costs the same at every size.
 * - `lookup`: linear, but most of a unit's cost is memory accesses, which take longer in a larger memory. The exponent is
 *   relative to that of a `Map`.
 * - `accesses`: a fixed number of such units at every size, relative to as many accesses to a full `Map`.
 * - `control`: quadratic, to prove that the measurement detects it.
 */
const limits = {
  linear: { isWithin: linear, text: 'exponent at most 1.15' },
  constant: {
    isWithin: (exponent) => exponent <= 0.15,
    text: 'exponent at most 0.15',
    isFixed: true,
  },
  lookup: {
    isWithin: linear,
    text: 'exponent at most 1.15, relative to a `Map`',
    isComparedWithMap: true,
  },
  accesses: {
    isWithin: linear,
    text: 'exponent at most 1.15, relative to a `Map`',
    isComparedWithMap: true,
    isFixed: true,
  },
  control: {
    isWithin: (exponent) => exponent >= 1.5,
    text: 'exponent at least 1.5, relative to a `Map`',
    isComparedWithMap: true,
  },
} as const satisfies Record<string, Limit>

export type Growth = keyof typeof limits

export function limitOf(growth: Growth): string {
  return limits[growth].text
}

export function isComparedWithMap(growth: Growth): boolean {
  return 'isComparedWithMap' in limits[growth]
}

export function isFixed(growth: Growth): boolean {
  return 'isFixed' in limits[growth]
}

export function isWithinLimit(growth: Growth, costs: ScalingCosts): boolean {
  return limits[growth].isWithin(exponentOf(costs))
}

/** Returns the exponent `e` for which the costs are proportional to the size to the power of `e`. */
export function exponentOf({ sizes, microseconds, ofMap }: ScalingCosts): number {
  const exponent = slopeOf(sizes, microseconds)
  return ofMap ? exponent - slopeOf(sizes, ofMap) + 1 : exponent
}

function slopeOf(sizes: readonly number[], costs: readonly number[]): number {
  // 0 has no logarithm.
  const growthOf = (values: readonly number[]) =>
    Math.log(Math.max(1, values.at(-1) ?? 1) / Math.max(1, values[0] ?? 1))
  return growthOf(costs) / growthOf(sizes)
}
