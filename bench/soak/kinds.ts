import type { Team } from '../../mock/index.ts'
import type { RequestOptions, ServiceClient } from '../../src/index.ts'
import { insuranceBody, orderBody, recipe, userInfoBody } from '../../test/support/bodies.ts'

/** The context of a call. Each call has its own user, so that its writes can be found in the team's records. */
export interface Caller {
  client: ServiceClient
  team: Team
  call: number
  userId: string
  options: RequestOptions
}

export interface Kind {
  name: string
  /** The percentage of all calls. */
  share: number
  prepare?: (caller: Caller) => void
  send: (caller: Caller) => PromiseLike<unknown>
  /** For reads: returns whether the result is valid. */
  isValid?: (result: unknown) => boolean
  /** Whether at most one request of a call may write. */
  isUnsafe?: boolean
  /** For writes: counts the effects for a user in the team's records. */
  countEffects?: (team: Team) => (userId: string) => number
}

const bookingKeys = ['bk_confirm', 'bk_confirm_after_5s', 'bk_fail', 'bk_fail_after_2s', 'bk_never']

function bookingKeyOf(call: number): string {
  return bookingKeys[call % bookingKeys.length] as string
}

function counterOf(userIds: Iterable<string>): (userId: string) => number {
  const counts = new Map<string, number>()
  for (const userId of userIds) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  return (userId) => counts.get(userId) ?? 0
}

const isList = (result: unknown) => Array.isArray(result) && result.length > 0

/** Every kind of call, in about the proportions of a working day. */
export const kinds: Kind[] = [
  {
    name: 'insurance.create',
    isUnsafe: true,
    share: 22,
    send: ({ client, userId, options }) =>
      client.insurance.create(userId, insuranceBody(), options),
    countEffects: (team) => counterOf(team.insurances.list().map(({ user_id }) => user_id)),
  },
  {
    name: 'orders.create',
    isUnsafe: true,
    share: 10,
    send: ({ client, userId, team, options }) =>
      client.orders.create(orderBody(labTestOf(team), { user_id: userId }), options),
    countEffects: (team) => counterOf(team.orders.list().map(({ user_id }) => user_id)),
  },
  {
    name: 'orders.bookPhlebotomyAppointment',
    isUnsafe: true,
    share: 10,
    prepare: ({ team, userId }) => {
      team.orders.create({ id: userId, user_id: userId })
    },
    send: ({ client, userId, call, options }) =>
      client.orders.bookPhlebotomyAppointment(
        userId,
        { booking_key: bookingKeyOf(call), async_confirmation: call % 3 === 0 },
        options,
      ),
    countEffects: (team) => counterOf(team.appointments.list().map(({ user_id }) => user_id)),
  },
  {
    name: 'link.bulkImport',
    isUnsafe: true,
    share: 10,
    prepare: ({ team, userId }) => {
      team.users.create({ user_id: userId })
    },
    send: ({ client, userId, call, options }) =>
      client.link.bulkImport(
        {
          provider: 'oura',
          connections: [recipe(userId)],
          wait_for_completion: call % 2 === 0,
        },
        options,
      ),
    countEffects: (team) => counterOf(team.bulkOps.list().flatMap((op) => op.user_ids_imported)),
  },
  {
    name: 'users.updateInfo',
    share: 12,
    send: ({ client, userId, options }) => client.users.updateInfo(userId, userInfoBody(), options),
    countEffects: (team) =>
      counterOf(
        team.users
          .list()
          .filter(({ info }) => info !== null)
          .map(({ user_id }) => user_id),
      ),
  },
  {
    name: 'link.deleteConnection',
    share: 8,
    prepare: ({ team, userId }) => {
      team.users.create({ user_id: userId })
      team.connections.create({ user_id: userId, provider: 'garmin' })
    },
    send: ({ client, userId, options }) => client.link.deleteConnection(userId, 'garmin', options),
    countEffects: (team) => (userId) => (team.connections.has(userId, 'garmin') ? 0 : 1),
  },
  {
    name: 'users.createSignInToken',
    share: 12,
    send: ({ client, userId, options }) => client.users.createSignInToken(userId, options),
    isValid: (result) => 'sign_in_token' in Object(result),
  },
  {
    name: 'labTests.listMarkers',
    share: 10,
    send: ({ client, options }) => client.labTests.listMarkers({ size: 3 }, options),
    isValid: (result) => isList((result as { markers: unknown }).markers),
  },
  {
    name: 'link.listBulkOps',
    share: 4,
    send: ({ client, options }) => client.link.listBulkOps({ page_size: 5 }, options),
    isValid: (result) => Array.isArray((result as { data: unknown }).data),
  },
  {
    name: 'link.listProviders',
    share: 2,
    send: ({ client, options }) => client.link.listProviders({}, options),
    isValid: isList,
  },
]

const labTests = new WeakMap<Team, string>()

function labTestOf(team: Team): string {
  const id = labTests.get(team) ?? (team.catalogue.labTests.list()[0]?.id as string)
  labTests.set(team, id)
  return id
}
