import { slowNoise, smoothNoise } from '../noise.ts'
import { ageOf, mobilityAt } from '../person/growth.ts'
import type { Life } from '../person/life.ts'
import { illnessOn } from './illness.ts'

/** Returns how much a person moves in daily life on a day: 1 is usual for adults, 0 for infants who cannot walk. */
export function liveliness(life: Life, date: number): number {
  const { person, traits, seeds } = life
  const noise =
    0.2 * slowNoise(seeds.movement + 2, date) + 0.25 * smoothNoise(seeds.movement + 5, date, 1.2)
  return (
    traits.movement *
    mobilityAt(ageOf(person, date)) *
    (1 + noise) *
    (1 - 0.7 * illnessOn(life, date))
  )
}
