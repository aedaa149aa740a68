import { day } from '../../../base/time-units.ts'
import { makeUserInfo } from '../../../data/people.ts'
import type { Person } from '../../../life/person/person.ts'
import { personaOf } from '../../../life/person/personas.ts'
import type { Settings } from '../../defaults.ts'
import type { RecordContext } from '../record-context.ts'

/** The state that decides how users live. */
export interface PeopleContext extends Pick<RecordContext, 'random'> {
  readonly settings: Pick<Settings, 'timeZone'>
}

/** What a test decides about the life of a user; the rest follows from the seed. */
export interface LifeFacts {
  /** The name of the persona. Default: `typical`. */
  persona?: string | undefined
  /** The time zone at home. Default: that of the team. */
  time_zone?: string | undefined
  /** The date of birth, `YYYY-MM-DD`. Default: that of the generated personal data. */
  born?: string | undefined
  /** Default: that of the persona, or of the generated personal data. */
  sex?: Person['sex'] | undefined
}

interface LookupContext extends PeopleContext {
  /** Returns how a user lives; undefined for an unknown user. */
  factsOf(userId: string): LifeFacts | undefined
}

/** How many people are kept: what is computed of their days is kept with them. */
const keptPeople = 64

/** The people whose health data is generated, by user. */
export class People {
  readonly #context: LookupContext
  readonly #people = new Map<string, { person: Person; facts: LifeFacts | undefined }>()

  constructor(context: LookupContext) {
    this.#context = context
  }

  /** Returns the time zone of a user at home. */
  zoneOf(userId: string): string {
    return this.#context.factsOf(userId)?.time_zone ?? this.#context.settings.timeZone
  }

  /** Returns the person of a user: the same object while its facts do not change, if it was used lately. */
  of(userId: string): Person {
    const facts = this.#context.factsOf(userId)
    const known = this.#people.get(userId)
    const person = known?.facts === facts ? known?.person : undefined
    const used = person ?? personOf(userId, facts, this.#context)
    this.#people.delete(userId)
    this.#people.set(userId, { person: used, facts })
    const [oldest] = this.#people.keys()
    if (this.#people.size > keptPeople && oldest !== undefined) this.#people.delete(oldest)
    return used
  }

  /** Forgets every person, such as after a restore. */
  clear(): void {
    this.#people.clear()
  }
}

/** Returns the person of a user. */
export function personOf(
  userId: string,
  { persona, time_zone, born, sex }: LifeFacts = {},
  { random, settings }: PeopleContext,
): Person {
  const { gender, dob } = makeUserInfo(random.fork(`user/${userId}`))
  const lived = personaOf(persona)
  return {
    random: random.fork(`health/${userId}`),
    persona: lived,
    sex: sex ?? lived.sex ?? (gender === 'male' ? 'male' : 'female'),
    born: Math.floor(Date.parse(born ?? dob) / day),
    zone: time_zone ?? settings.timeZone,
  }
}
