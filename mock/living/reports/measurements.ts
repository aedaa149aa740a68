import { minute } from '../../shared/time-units.ts'
import type { Device, DeviceRecord } from '../devices/device-record.ts'
import type { LivedDay } from '../devices/lived-day.ts'
import { habitsOf } from '../devices/wear.ts'
import { uniform } from '../noise.ts'
import { roundTo } from '../numbers.ts'
import { makeRecord } from './make-record.ts'
import { profileHeight } from './profile.ts'

/** Returns a scale's measurements after the person gets up, or the weight that the person enters in an app. */
export function bodyRecords(day: LivedDay, device: Device): DeviceRecord[] {
  const { isDayWorn, noise } = habitsOf(day, device)
  const wakeUp = day.plan.sleeps.find(({ isNap }) => !isNap)?.end
  if (!isDayWorn || wakeUp === undefined) return []
  const measured_at = wakeUp + Math.floor(5 + uniform(noise, -4) * 30) * minute
  if (measured_at >= day.plan.end) return []
  return [
    makeRecord(day, device, {
      resource: 'body',
      key: 0,
      times: { measured_at },
      readyAt: measured_at,
      values: device.type === 'app' ? enteredColumns(day) : scaleColumns(day, noise),
    }),
  ]
}

function scaleColumns({ person, date, plan: { body } }: LivedDay, noise: number) {
  const weight = roundTo(body.weightKilogram + (uniform(noise, -5) - 0.5) * 0.4)
  const fat = roundTo(body.fatPercentage + (uniform(noise, -6) - 0.5) * 0.8)
  const height = profileHeight(person, date) / 100
  return {
    weight_kilogram: weight,
    fat_mass_percentage: fat,
    water_percentage: roundTo((100 - fat) * 0.73),
    muscle_mass_percentage: roundTo((100 - fat) * 0.95),
    visceral_fat_index: roundTo(fat / 3),
    bone_mass_percentage: roundTo((100 - fat) * 0.05),
    lean_body_mass_kilogram: roundTo(weight * (1 - fat / 100)),
    waist_circumference_centimeter: roundTo(weight / height / 0.51),
    body_mass_index: roundTo(weight / height ** 2),
  }
}

/** Returns the weight that a person enters, rounded to half a kilogram, and the body mass index. */
function enteredColumns({ person, date, plan: { body } }: LivedDay) {
  const weight = Math.round(body.weightKilogram * 2) / 2
  const height = profileHeight(person, date) / 100
  return { weight_kilogram: weight, body_mass_index: roundTo(weight / height ** 2) }
}

/** The share of meals that people enter in a food diary. */
const enteredMeals = 0.8

export function mealRecords(day: LivedDay, device: Device): DeviceRecord[] {
  const { noise } = habitsOf(day, device)
  return day.plan.meals.flatMap((meal, key) => {
    if (uniform(noise, -10 - key) >= enteredMeals) return []
    const { at: date, name, calories, carbohydrateGram, proteinGram, fatGram } = meal
    return [
      makeRecord(day, device, {
        resource: 'meal',
        key,
        times: { date },
        readyAt: date,
        values: {
          name,
          calories,
          carbohydrate_gram: carbohydrateGram,
          protein_gram: proteinGram,
          fat_gram: fatGram,
        },
      }),
    ]
  })
}
