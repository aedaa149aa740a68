import { day } from '../../../base/time-units.ts'
import { makeUserInfo } from '../../../data/people.ts'
import type { Person } from '../../../life/person/person.ts'
import { personas } from '../../../life/person/personas.ts'
import type { Settings } from '../../defaults.ts'
import type { RecordContext } from '../record-context.ts'

/** The state that decides how users live. */
export interface PeopleContext extends Pick<RecordContext, 'random'> {
  readonly settings: Pick<Settings, 'timeZone'>
}

/** How many people are kept: what is computed of their days is kept with them. */
const keptPeople = 64

/** The people whose health data is generated, by user. */
export class People {
  readonly #context: PeopleContext
  readonly #people = new Map<string, Person>()

  constructor(context: PeopleContext) {
    this.#context = context
  }

  /** Returns the time zone of a user at home. */
  zoneOf(_userId: string): string {
    return this.#context.settings.timeZone
  }

  /** Returns the person of a user: the same object while its facts do not change, if it was used lately. */
  of(userId: string): Person {
    const zone = this.zoneOf(userId)
    const known = this.#people.get(userId)
    const person = known?.zone === zone ? known : this.#makePerson(userId, zone)
    this.#people.delete(userId)
    this.#people.set(userId, person)
    const [oldest] = this.#people.keys()
    if (this.#people.size > keptPeople && oldest !== undefined) this.#people.delete(oldest)
    return person
  }

  #makePerson(userId: string, zone: string): Person {
    const { random } = this.#context
    const { gender, dob } = makeUserInfo(random.fork(`user/${userId}`))
    return {
      random: random.fork(`health/${userId}`),
      persona: personas.typical,
      sex: gender === 'male' ? 'male' : 'female',
      born: Math.floor(Date.parse(dob) / day),
      zone,
    }
  }
}
