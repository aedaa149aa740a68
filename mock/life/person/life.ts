import { cached } from '../cache.ts'
import type { Person } from './person.ts'
import { drawTraits, type Traits } from './traits.ts'

/** What is random in a life, each with a seed of its own. Add new ones at the end: their order decides about the seeds. */
const topics = [
  'traits',
  'trip',
  'illness',
  'work',
  'night',
  'stages',
  'nap',
  'training',
  'workout',
  'outing',
  'meal',
  'body',
  'heart',
  'movement',
  'glucose',
] as const

/** A person with what the seed decides once. */
export interface Life {
  readonly person: Person
  readonly traits: Traits
  readonly seeds: Readonly<Record<(typeof topics)[number], number>>
}

/** The latest persons. Their plans are remembered with them. */
const lives = new Map<Person, Life>()
const mostLives = 128

/** Returns the life of a person. It is found again for the same object only, so keep the object between calls. */
export function lifeOf(person: Person): Life {
  return cached(lives, person, mostLives, () => makeLife(person))
}

function makeLife(person: Person): Life {
  const random = person.random.fork('life')
  const seeds = Object.fromEntries(
    topics.map((topic) => [topic, random.integer(0, 0xffff_ffff)]),
  ) as Life['seeds'] // has every topic
  return { person, seeds, traits: drawTraits(person, seeds.traits) }
}
