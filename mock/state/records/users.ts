import type { UserInfo } from '../../../src/contract/users.ts'
import { deepFreeze } from '../../base/deep-freeze.ts'
import { withLazyField } from '../../base/lazy-field.ts'
import { makeUserInfo } from '../../data/people.ts'
import { providersOf } from '../../life/devices/devices.ts'
import { personaOf } from '../../life/person/personas.ts'
import { dateTime } from '../clock/time.ts'
import { type Change, Collection } from '../collection.ts'
import type { Settings } from '../defaults.ts'
import type { ConnectionInput } from './link.ts'
import type { RecordContext } from './record-context.ts'
import { checkLife, isSex, type LifeContext } from './user-life.ts'

/** A user of the team. */
export interface User {
  /** The id of the user, a UUID. */
  user_id: string
  /** Null while the service knows nothing about the person (specification 4.2). */
  info: UserInfo | null
  /** Virtual time, ISO 8601. */
  created_at: string
  /** The name of the persona; absent for a user without one. */
  persona?: string
  /** The time zone at home; absent for that of the team. */
  time_zone?: string
  /** The date of birth that the health data follows, `YYYY-MM-DD`; absent for the generated one. */
  born?: string
  /** The sex that the health data follows; absent for that of the persona, or the generated one. */
  sex?: 'female' | 'male'
  /** Whether health data keeps arriving as time passes; absent if not. */
  living?: boolean
}

/** A user to create. Omitted fields are generated. */
export interface UserInput {
  /** A UUID. Default: a random one. */
  user_id?: string
  /**
   * Omitted fields are generated; null creates a user without personal data. The health data follows `dob`, and `gender` if
   * it is `female` or `male`.
   */
  info?: Partial<UserInfo> | null
  /** How the user lives, such as `athlete`. Default: `typical`. */
  persona?: string
  /** The time zone at home: an IANA name such as `Europe/Berlin`, or an offset such as `+02:00`. Default: that of the team. */
  time_zone?: string
  /** The date of birth, `YYYY-MM-DD`, from 1900 until now. Default: `info.dob`, or an age that fits the persona. */
  born?: string
  /**
   * The slugs of the providers to connect the user to, such as `oura`; each has the device of its kind. Default: for a living
   * user, those that fit the persona, such as a glucose sensor for `type_1_diabetic`; none for others.
   */
  connections?: readonly string[]
  /** Whether health data keeps arriving as time passes. Default: the team's option `living`. */
  living?: boolean
}

interface UsersContext extends RecordContext, LifeContext {
  readonly settings: Pick<Settings, 'timeZone' | 'living'>
  readonly connections: {
    has(userId: string, provider: string): boolean
    create(input: ConnectionInput): unknown
  }
}

/**
 * The users of a team. When `update` changes the persona, time zone, date of birth or sex, a living user's connections are
 * made again, and their historical pulls bring the data of the new life.
 */
export class Users extends Collection<User, UserInput> {
  readonly #context: UsersContext

  constructor(context: UsersContext, changed: (change: Change) => void, beforeAccess: () => void) {
    super({
      name: 'users',
      keyOf: ({ user_id }) => [user_id],
      make: (input) => makeUser(input, context),
      beforeAccess,
      changed,
    })
    this.#context = context
  }

  /**
   * Creates a user, with its connections. Omitted fields are generated.
   *
   * @throws {MockError} `invalid_option` for an unknown persona, time zone or provider, or invalid or different dates of
   * birth; `invalid_state` if the id is in use.
   */
  override create(input: UserInput = {}): User {
    const user = super.create(input)
    const { connections } = this.#context
    const usual = user.living ? providersOf({ persona: personaOf(user.persona) }) : []
    const { user_id } = user
    for (const provider of new Set(input.connections ?? usual)) {
      if (!connections.has(user_id, provider)) connections.create({ user_id, provider })
    }
    return user
  }

  /** @internal */
  protected override check(action: 'create' | 'update', fields: UserInput | Partial<User>): void {
    super.check(action, fields)
    // The health data does not follow later personal data.
    checkLife(action === 'create' ? fields : { ...fields, info: undefined }, this.#context)
  }
}

/** Makes a user, with a person who is generated at the first reading unless `info` is null. */
function makeUser(input: UserInput, { random, clock, settings }: UsersContext): User {
  const { info } = input
  const id = input.user_id ?? random.uuid()
  const life = lifeFields(id, input, { random, clock, settings })
  const user: User = { user_id: id, info: null, created_at: dateTime(clock.moment) }
  // A literal with a spread takes more memory, also without further fields.
  Object.assign(user, life)
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

/** Returns how a user lives; without facts nothing, so that the record of most users has no further fields. */
function lifeFields(
  id: string,
  { persona, time_zone, born, living, info }: UserInput,
  { random, clock, settings }: Pick<UsersContext, 'random' | 'clock' | 'settings'>,
): Pick<User, 'persona' | 'time_zone' | 'born' | 'sex' | 'living'> {
  const isLiving = living ?? settings.living
  const given = born ?? info?.dob
  const date =
    given ?? (persona === undefined ? undefined : birthday(id, persona, { random, clock }))
  const sex = info?.gender
  return {
    ...(persona === undefined ? {} : { persona }),
    ...(time_zone === undefined ? {} : { time_zone }),
    ...(date === undefined ? {} : { born: date }),
    ...(isSex(sex) ? { sex } : {}),
    ...(isLiving ? { living: true } : {}),
  }
}

/** Draws a date of birth with an age that fits a persona. */
function birthday(id: string, persona: string, { random, clock }: RecordContext): string {
  const [youngest, oldest] = personaOf(persona).ages
  const bornRandom = random.fork(`user/${id}/born`)
  const date = new Date(clock.moment)
  date.setUTCFullYear(date.getUTCFullYear() - bornRandom.integer(youngest, oldest))
  date.setUTCDate(date.getUTCDate() - bornRandom.integer(1, 360))
  return date.toISOString().slice(0, 10)
}
