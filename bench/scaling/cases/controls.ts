import type { ScalingCase } from '../scaling-case.ts'

/** Cases that must exceed the limits, to prove that the measurement detects such costs. */
export const controlCases: Record<string, ScalingCase> = {
  filter: {
    what: 'Control: remove values from an array by filtering (quadratic)',
    growth: 'control',
    size: 16_000,
    prepare: (size) => () => {
      let values = Array.from({ length: size }, (_, at) => ({ at }))
      for (let at = 0; at < size; at += 1) values = values.filter((value) => value.at !== at)
    },
  },
}
