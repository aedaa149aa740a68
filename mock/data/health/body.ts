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
    const measured_at = formatFloating(midnight + dayRandom.integer(6 * 60, 8 * 60) * minute)
    const fat = roundTo(randomAround(dayRandom, 23, 2))
    const row = {
      measured_at,
      weight_kilogram: roundTo(today),
      fat_mass_percentage: fat,
      water_percentage: roundTo((100 - fat) * 0.73),
      muscle_mass_percentage: roundTo((100 - fat) * 0.95),
      visceral_fat_index: roundTo(fat / 3),
      bone_mass_percentage: roundTo((100 - fat) * 0.05),
      lean_body_mass_kilogram: roundTo(today * (1 - fat / 100)),
      waist_circumference_centimeter: roundTo(today / height / 0.51),
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
        date: formatFloating(midnight + integerAround(dayRandom, hour * 60, 50) * minute),
        name,
        ...nutrients(integerAround(dayRandom, calories, 220)),
        ...app,
      })),
  )
}

/** Returns the energy and nutrients of a meal: 4 kilocalories for a gram of carbohydrates or protein, 9 for fat. */
function nutrients(calories: number) {
  return {
    calories,
    carbohydrate_gram: roundTo((calories * 0.48) / 4),
    protein_gram: roundTo((calories * 0.2) / 4),
    fat_gram: roundTo((calories * 0.32) / 9),
  }
}
