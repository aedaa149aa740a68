import type { Team } from '../../mock/index.ts'
import type { RequestOptions, ServiceClient } from '../../src/index.ts'
import { insuranceBody, orderBody, recipe, userInfoBody } from '../../test/support/bodies.ts'

/** Who calls: each call has a user of its own, so that what it wrote can be told from the team's records. */
export interface Caller {
  client: ServiceClient
  team: Team
  /** The number of the call. */
  call: number
  userId: string
  options: RequestOptions
}

/** A kind of call, and how its effect is found again. */
export interface Kind {
  name: string
  /** How many of 100 calls. */
  share: number
  /** Prepares the team, where the call needs something to be there. */
  prepare?: (caller: Caller) => void
  send: (caller: Caller) => PromiseLike<unknown>
  /** Of a read: whether it was answered right. */
  isRight?: (answer: unknown) => boolean
  /** Whether two requests of one call may never both write. */
  isUnsafe?: boolean
  /** Of a write: how often that of a user was done, by the team's records. */
  done?: (team: Team) => (userId: string) => number
}

const endings = ['bk_confirm', 'bk_confirm_after_5s', 'bk_fail', 'bk_fail_after_2s', 'bk_never']

/** The key that says how a booking ends. */
function bookingKeyOf(call: number): string {
  return endings[call % endings.length] as string
}

/** How often each user is among those. */
function tally(userIds: Iterable<string>): (userId: string) => number {
  const counts = new Map<string, number>()
  for (const userId of userIds) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  return (userId) => counts.get(userId) ?? 0
}

const isList = (answer: unknown) => Array.isArray(answer) && answer.length > 0

/** Every kind; what the service does more of in a working day comes more often. */
export const kinds: Kind[] = [
  {
    name: 'insurance.create',
    isUnsafe: true,
    share: 22,
    send: ({ client, userId, options }) =>
      client.insurance.create(userId, insuranceBody(), options),
    done: (team) => tally(team.insurances.list().map(({ user_id }) => user_id)),
  },
  {
    name: 'orders.create',
    isUnsafe: true,
    share: 10,
    send: ({ client, userId, team, options }) =>
      client.orders.create(orderBody(labTestOf(team), { user_id: userId }), options),
    done: (team) => tally(team.orders.list().map(({ user_id }) => user_id)),
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
    done: (team) => tally(team.appointments.list().map(({ user_id }) => user_id)),
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
    done: (team) => tally(team.bulkOps.list().flatMap((op) => op.user_ids_imported)),
  },
  {
    name: 'users.updateInfo',
    share: 12,
    send: ({ client, userId, options }) => client.users.updateInfo(userId, userInfoBody(), options),
    done: (team) =>
      tally(
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
      team.connections.create({ user_id: userId, provider: 'garmin' })
    },
    send: ({ client, userId, options }) => client.link.deleteConnection(userId, 'garmin', options),
    done: (team) => (userId) => (team.connections.has(userId, 'garmin') ? 0 : 1),
  },
  {
    name: 'users.createSignInToken',
    share: 12,
    send: ({ client, userId, options }) => client.users.createSignInToken(userId, options),
    isRight: (answer) => 'sign_in_token' in Object(answer),
  },
  {
    name: 'labTests.listMarkers',
    share: 10,
    send: ({ client, options }) => client.labTests.listMarkers({ size: 3 }, options),
    isRight: (answer) => isList((answer as { markers: unknown }).markers),
  },
  {
    name: 'link.listBulkOps',
    share: 4,
    send: ({ client, options }) => client.link.listBulkOps({ page_size: 5 }, options),
    isRight: (answer) => Array.isArray((answer as { data: unknown }).data),
  },
  {
    name: 'link.listProviders',
    share: 2,
    send: ({ client, options }) => client.link.listProviders({}, options),
    isRight: isList,
  },
]

const labTests = new WeakMap<Team, string>()

function labTestOf(team: Team): string {
  const known = labTests.get(team) ?? (team.catalogue.labTests.list()[0]?.id as string)
  labTests.set(team, known)
  return known
}
