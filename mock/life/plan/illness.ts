import { remember } from '../cache.ts'
import { Draws } from '../noise.ts'
import type { Life } from '../person/life.ts'

/** Days in which a person is ill at most once, and healthy at the end. */
const blockDays = 61

interface Episode {
  first: number
  days: number
  severity: number
}

/** Returns how ill a person is on a day, from 0, healthy, to 1. */
export function illnessOn(life: Life, date: number): number {
  const episode = episodeOf(life, Math.floor(date / blockDays))
  if (!episode) return 0
  const day = date - episode.first
  if (day < 0 || day >= episode.days) return 0
  // Worst on the second day, then slowly better.
  return episode.severity * (day === 0 ? 0.5 : 1 - (day - 1) / episode.days)
}

const episodeOf = remember(512, ({ seeds, person }: Life, block: number): Episode | undefined => {
  const draws = new Draws(seeds.illness, block)
  if (draws.next() >= person.persona.illness) return undefined
  return {
    first: block * blockDays + draws.integer(1, 50),
    days: draws.integer(3, 9),
    severity: 0.35 + 0.65 * draws.next(),
  }
})
