import { makeUserInfo } from '../../reference-data/people.ts'
import type { Random } from '../../reference-data/random.ts'
import { day } from '../../shared/time-units.ts'
import type { ValuePort } from '../../state/ports.ts'
import { rememberEach } from '../numbers.ts'
import type { LivingPerson } from '../person/life.ts'
import { personaOf } from '../person/personas.ts'

/** The facts about a user's life that a test can set. The seed determines the rest. */
export interface LifeFacts {
  /** The persona's name. Default: `typical`. */
  persona?: string | undefined
  /** The home time zone. Default: the team's. */
  time_zone?: string | undefined
  /** The date of birth, `YYYY-MM-DD`. Default: the date in the generated personal data. */
  born?: string | undefined
  /** The sex. Default: the persona's sex, or the sex in the generated personal data. */
  sex?: LivingPerson['sex'] | undefined
}

export function lifeFactsOf({ persona, time_zone, born, sex }: LifeFacts = {}): LifeFacts {
  return { persona, time_zone, born, sex }
}

/** Returns the person for a user's facts. Recent results are cached, so the same facts return the same object. */
export function personOf(
  userId: string,
  { persona, time_zone, born, sex }: LifeFacts = {},
  { random, settings }: ValuePort,
): LivingPerson {
  const zone = time_zone ?? settings.timeZone
  return rememberedPerson(random, JSON.stringify([userId, persona, zone, born, sex]))
}

// Other caches are keyed by person, so the same facts should return the same object. Creating a person takes 0.2 ms.
const rememberedPerson = rememberEach(128, (random: Random, key: string): LivingPerson => {
  // `personOf` wrote the key. JSON contains null for a missing fact.
  const [userId, persona, zone, born, sex]: [
    ...[userId: string, persona: string | null, zone: string],
    ...[born: string | null, sex: LivingPerson['sex'] | null],
  ] = JSON.parse(key)
  const { gender, dob } = makeUserInfo(random.fork(`user/${userId}`))
  const lived = personaOf(persona ?? undefined)
  return {
    random: random.fork(`health/${userId}`),
    persona: lived,
    sex: sex ?? lived.sex ?? (gender === 'male' ? 'male' : 'female'),
    born: Math.floor(Date.parse(born ?? dob) / day),
    zone,
  }
})
