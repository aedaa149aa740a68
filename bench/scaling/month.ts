import { createMock, type Team } from '../../mock/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { recipes } from './cases/support.ts'

/** The amounts in a full month. A smaller month has a share of them. */
export const fullMonth = { users: 1_000_000, dueEvents: 100_000, bookings: 10_000 }

export interface MonthReport {
  /** Users whose connection was imported. */
  imported: number
  dueEvents: number
  /** Concurrent bookings that were confirmed. */
  confirmed: number
  /** Bulk imports on all pages of the list. */
  bulkOps: number
  /** Appointments that were read through the API. */
  appointments: number
  events: number
}

const days = 30

/** Each booking in the background has two due events: the pending appointment, and its confirmation. */
const eventsPerBooking = 2

/**
 * Simulates a month of a team: imports users, books appointments concurrently, advances the virtual clock by a month
 * with background bookings on each day, and reads all the data.
 *
 * @param share The share of a full month, such as 0.01.
 */
export async function runMonth(share: number): Promise<MonthReport> {
  const team = createMock({ journalLimit: 10 }).team()
  const client = new ServiceClient(team.connection())
  const imported = await importUsers(team, client, Math.round(fullMonth.users * share))
  const concurrent = await book(team, client, Math.round(fullMonth.bookings * share), {
    booking_key: 'bk_confirm_after_30s',
  })
  const daily = Math.round((fullMonth.dueEvents * share) / eventsPerBooking / days)
  let background: string[] = []
  for (let day = 0; day < days; day += 1) {
    const body = { booking_key: 'bk_confirm_after_20h', async_confirmation: true }
    const timeout = { async_confirmation_timeout_millisecond: 172_800_000 }
    background = background.concat(await book(team, client, daily, { ...body, ...timeout }))
    await team.clock.advance('1d')
  }
  const confirmed = await countConfirmed(client, concurrent)
  const inBackground = await countConfirmed(client, background)
  let bulkOps = 0
  for await (const _ of client.link.listBulkOps({ page_size: 50 })) bulkOps += 1
  return {
    imported,
    dueEvents: inBackground * eventsPerBooking,
    confirmed,
    bulkOps,
    appointments: confirmed + inBackground,
    events: team.events.count,
  }
}

/** Returns how many users' connections were imported. */
async function importUsers(team: Team, client: ServiceClient, count: number): Promise<number> {
  const ids = Array.from({ length: count }, () => team.users.create({ info: null }).user_id)
  await client.link.bulkImportAll('oura', recipes(ids), { waitForCompletion: true })
  return team.connections.list({ provider: 'oura' }).length
}

/** Books concurrently. Returns the orders' ids. */
async function book(
  team: Team,
  client: ServiceClient,
  count: number,
  body: Parameters<ServiceClient['orders']['bookPhlebotomyAppointment']>[1],
): Promise<string[]> {
  const { user_id } = team.users.create({ info: null })
  const ids = Array.from({ length: count }, () => team.orders.create({ user_id }).id)
  await Promise.all(ids.map((id) => client.orders.bookPhlebotomyAppointment(id, body)))
  return ids
}

async function countConfirmed(client: ServiceClient, orders: readonly string[]): Promise<number> {
  let confirmed = 0
  for (const id of orders) {
    const { status } = await client.orders.getPhlebotomyAppointment(id)
    if (status === 'confirmed') confirmed += 1
  }
  return confirmed
}
