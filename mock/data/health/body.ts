import type { Random } from '../../base/random.ts'
import { minute } from '../../base/time-units.ts'
import { formatFloating } from '../../query/calendar.ts'
import type { Row } from '../../query/table.ts'
import { type Days, eachDay, integerAround, randomAround, roundTo } from './days.ts'
import { app, scale } from './sources.ts'

/** Generates the rows of `body`: a scale measures the user on Mondays. */
export function bodyRows(random: Random, days: Days): Row[] {
  const weight = randomAround(random, 74, 16)
  const height = randomAround(random, 1.72, 0.14)
  return eachDay(random, days, (midnight, dayRandom) => {
    if (new Date(midnight).getUTCDay() !== 1) return []
    const today = weight + randomAround(dayRandom, 0, 1.6)
    const row = {
      measured_at: formatFloating(midnight + dayRandom.integer(6 * 60, 8 * 60) * minute),
      weight_kilogram: roundTo(today),
      fat_mass_percentage: roundTo(randomAround(dayRandom, 23, 2)),
      body_mass_index: roundTo(today / height ** 2),
      ...scale,
    }
    return [row]
  })
}

const mealtimes = [
  { name: 'Breakfast', hour: 8, calories: 420 },
  { name: 'Lunch', hour: 13, calories: 680 },
  { name: 'Dinner', hour: 19, calories: 740 },
] as const

/** Generates the rows of `meal`: up to three of them a day. */
export function mealRows(random: Random, days: Days): Row[] {
  return eachDay(random, days, (midnight, dayRandom) =>
    mealtimes
      .filter(() => dayRandom.next() < 0.8)
      .map(({ name, hour, calories }) => ({
        timestamp: formatFloating(midnight + integerAround(dayRandom, hour * 60, 50) * minute),
        name,
        calories: integerAround(dayRandom, calories, 220),
        ...app,
      })),
  )
}
