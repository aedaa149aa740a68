import { providersOf } from '../../living/devices/devices.ts'
import { personaOf } from '../../living/person/personas.ts'
import { checkBirths, checkNames, isSex } from '../../living/users/life-options.ts'
import { makeUserInfo } from '../../reference-data/people.ts'
import { deepFreeze, withLazyField } from '../../shared/freeze.ts'
import { dateTime } from '../clock/time.ts'
import type { RecordPort, ValuePort } from '../ports.ts'
import type { User, UserInput } from '../records/users.ts'
import type { RecordCall } from './check-record.ts'
import { Collection, type CollectionHooks } from './collection.ts'

/**
 * A team's users. Updating a living user's persona, time zone, date of birth or sex restarts the user's connections.
 * Their historical pulls then deliver the new data.
 */
export class Users extends Collection<User, UserInput> {
  readonly #team: RecordPort

  constructor(team: RecordPort, hooks: CollectionHooks) {
    super({ ...hooks, name: 'users', make: (input) => makeUser(input, team) })
    this.#team = team
  }

  /**
   * Creates a user and its connections. Omitted fields are generated.
   *
   * @throws {MockError} `invalid_option` for an unknown persona, time zone or provider, or for invalid or contradictory
   * dates of birth; `invalid_state` if the id is in use.
   */
  override create(input: UserInput = {}): User {
    const user = super.create(input)
    const { connections } = this.#team
    const usual = user.living ? providersOf(personaOf(user.persona)) : []
    const { user_id } = user
    for (const provider of new Set(input.connections ?? usual)) {
      if (!connections.has(user_id, provider)) connections.create({ user_id, provider })
    }
    return user
  }

  /** @internal */
  protected override check(call: RecordCall, fields: UserInput | Partial<User>): void {
    checkNames(fields, this.#team.providers)
    super.check(call, fields)
    // Later changes to personal data do not change the health data.
    checkBirths(call === 'create' ? fields : { ...fields, info: null }, this.#team.clock.moment)
  }
}

/** Creates a user whose personal data is generated when it is first read, unless `info` is null. */
function makeUser(input: UserInput, { random, clock, settings }: ValuePort): User {
  const { info, client_user_id } = input
  const id = input.user_id ?? random.uuid()
  const life = lifeFields(id, input, { random, clock, settings })
  const user: User = { user_id: id, info: null, created_at: dateTime(clock.moment) }
  // An object created with a spread uses more memory, even if the spread adds no fields.
  Object.assign(user, client_user_id === undefined ? life : { client_user_id, ...life })
  if (info === null) return user
  const sex = life.sex ?? personaOf(life.persona).sex
  const makeInfo = () =>
    deepFreeze({
      ...makeUserInfo(random.fork(`user/${id}`)),
      ...(life.born === undefined ? {} : { dob: life.born }),
      ...(sex === undefined ? {} : { gender: sex, gender_identity: sex }),
      ...info,
    })
  return withLazyField(user, 'info', makeInfo)
}

/** Returns the fields on which the health data is based. Omits unset fields to save memory. */
function lifeFields(
  id: string,
  { persona: own, time_zone, born, living, info }: UserInput,
  { random, clock, settings }: ValuePort,
): Partial<User> {
  const persona = own ?? settings.persona ?? undefined
  const isLiving = living ?? settings.living
  const given = born ?? info?.dob
  const date =
    given ??
    (persona === undefined ? undefined : birthday(id, persona, { random, clock, settings }))
  const sex = info?.gender
  return {
    ...(persona === undefined ? {} : { persona }),
    ...(time_zone === undefined ? {} : { time_zone }),
    ...(date === undefined ? {} : { born: date }),
    ...(isSex(sex) ? { sex } : {}),
    ...(isLiving ? { living: true } : {}),
  }
}

function birthday(id: string, persona: string, { random, clock }: ValuePort): string {
  const [youngest, oldest] = personaOf(persona).ages
  const bornRandom = random.fork(`user/${id}/born`)
  const date = new Date(clock.moment)
  date.setUTCFullYear(date.getUTCFullYear() - bornRandom.integer(youngest, oldest))
  date.setUTCDate(date.getUTCDate() - bornRandom.integer(1, 360))
  return date.toISOString().slice(0, 10)
}
