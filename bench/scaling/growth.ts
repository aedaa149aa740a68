/** What a case costs. */
export interface ScalingCosts {
  /** The sizes, ascending. */
  sizes: number[]
  /** The CPU time of the main thread at each size, in microseconds. */
  microseconds: number[]
  /** The same of a `Map` with as many entries, if the case is compared with it. */
  ofMap?: number[]
  /** The bytes that a unit of the largest size keeps. */
  bytes: number
}

/** How costs may grow. */
interface Limit {
  isWithin: (exponent: number) => boolean
  /** The limit as in the table. */
  text: string
  isComparedWithMap?: boolean
  /** Whether each size does the same amount of work. */
  isFixed?: boolean
}

const linear = (exponent: number) => exponent <= 1.15

/**
 * The ways in which costs may grow. `linear`: with the size; the sum of linear costs and of a sort is a little above 1.
 * `constant`: a fixed amount of work costs the same at every size. `lookup`: linear, but a unit costs little more than some
 * accesses to memory, which take longer the more memory there is; the exponent is compared with that of a `Map`, which
 * counts as 1. `accesses`: a fixed number of such units at every size, compared in the same way with a fixed number of accesses
 * to a full `Map`. `control`: quadratic, and compared with a `Map`, as a proof that the measurement finds it.
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

/** A way in which costs may grow. */
export type Growth = keyof typeof limits

/** Returns the limit of a growth as in the table. */
export function limitOf(growth: Growth): string {
  return limits[growth].text
}

/** Returns whether costs are compared with those of a `Map`. */
export function isComparedWithMap(growth: Growth): boolean {
  return 'isComparedWithMap' in limits[growth]
}

/** Returns whether each size does the same amount of work. */
export function isFixed(growth: Growth): boolean {
  return 'isFixed' in limits[growth]
}

/** Returns whether costs grow no faster than they may. */
export function isWithinLimit(growth: Growth, costs: ScalingCosts): boolean {
  return limits[growth].isWithin(exponentOf(costs))
}

/** Returns the power of the size to which costs are proportional. */
export function exponentOf({ sizes, microseconds, ofMap }: ScalingCosts): number {
  const exponent = slopeOf(sizes, microseconds)
  return ofMap ? exponent - slopeOf(sizes, ofMap) + 1 : exponent
}

function slopeOf(sizes: readonly number[], costs: readonly number[]): number {
  // A cost of nothing has no logarithm.
  const growthOf = (values: readonly number[]) =>
    Math.log(Math.max(1, values.at(-1) ?? 1) / Math.max(1, values[0] ?? 1))
  return growthOf(costs) / growthOf(sizes)
}
