import * as z from 'zod/mini'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'
import { UserInfo } from '../../../src/contract/users.ts'
import { personaNames } from '../../living/person/personas.ts'
import { isTimeZone } from '../../shared/time-zone.ts'
import { typed } from './schemas.ts'

/** The schemas of the user fields on which health data is based. */
export const lifeSchemas = {
  // The type allows any string, so callers can pass a name that TypeScript cannot check.
  persona: z.optional(typed<string>(z.enum(personaNames))),
  time_zone: z.optional(z.string().check(z.refine(isTimeZone, 'a time zone'))),
  born: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'a date'))),
  sex: z.optional(z.enum(['female', 'male'])),
}

/** A user of the team. */
export interface User {
  /** The user's id, a UUID. */
  user_id: string
  /** The personal data, or null if none is stored (specification 4.2). */
  info: UserInfo | null
  /** The virtual time of creation, in ISO 8601. */
  created_at: string
  /** Your own id for the user, included in events if `eventEnvelope` is `extended`. Omitted if none was set. */
  client_user_id?: string
  /** The persona's name. Omitted if the user has none. */
  persona?: string
  /** The home time zone. Omitted if the team's time zone applies. */
  time_zone?: string
  /** The date of birth for the health data, `YYYY-MM-DD`. Omitted if neither a date of birth nor a persona was set. */
  born?: string
  /** The sex on which the health data is based. Omitted if it comes from the persona or is generated. */
  sex?: 'female' | 'male'
  /** Whether health data keeps arriving as time passes. Omitted if false. */
  living?: boolean
}
export const User = z.object({
  user_id: z.string(),
  info: z.nullable(UserInfo),
  created_at: lenient.dateTime,
  client_user_id: z.optional(z.string()),
  ...lifeSchemas,
  living: z.optional(z.boolean()),
})

/** A user to create. Omitted fields are generated. */
export interface UserInput {
  /** The id, a UUID. Default: random. */
  user_id?: string
  /**
   * The personal data. Omitted fields are generated, and null creates a user without personal data. The health data is
   * based on `dob`, and on `gender` if that is `female` or `male`.
   */
  info?: Partial<UserInfo> | null
  /** Your own id for the user, included in events if `eventEnvelope` is `extended`. Default: none. */
  client_user_id?: string
  /** The persona, such as `athlete`. Default: the team's `persona` option, or `typical` if that is null. */
  persona?: string
  /**
   * The home time zone: an IANA name such as `Europe/Berlin`, or an offset such as `+02:00`. Default: the team's value.
   */
  time_zone?: string
  /** The date of birth, `YYYY-MM-DD`, from 1900 to now. Default: `info.dob`, or a date that fits the persona. */
  born?: string
  /**
   * The slugs of the user's connected providers, such as `oura`. Each provider gets a suitable device. Default: none
   * or, for a living user, those that fit the persona (for example, a glucose sensor for `type_1_diabetic`).
   */
  connections?: readonly string[]
  /** Whether health data keeps arriving as time passes. Default: the team's `living` option. */
  living?: boolean
}
export const UserInput = z.object({
  user_id: z.optional(z.string()),
  info: z.optional(z.nullable(z.partial(UserInfo))),
  client_user_id: z.optional(z.string()),
  persona: z.optional(z.string()),
  time_zone: z.optional(z.string()),
  born: z.optional(z.string()),
  connections: z.optional(z.array(z.string())),
  living: z.optional(z.boolean()),
})
