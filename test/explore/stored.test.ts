import { ServiceClient } from 'health-lab-sdk'
import { type ExploreTools, explore, type StoredRecord } from 'health-lab-sdk/mock/explore'
import { expect, it } from 'vitest'
import { base, type Message, orderOf, patient, receive, recipeOf, withOrder } from './corpus/kit.ts'

const quiet = { print: () => {}, budget: { runs: 40 } }

it('compares what the check returns as stored with the service', async () => {
  const running = explore({
    ...quiet,
    setup: base,
    scenario: (context) => context.client.orders.create(orderOf(context)),
    check: () => ({ stored: { orders: [] } }),
  })
  await expect(running).rejects.toMatchObject({
    violation: 'lost',
    message: expect.stringMatching(
      /: The service has orders that your program has not stored: [\da-f-]{36}\./,
    ),
  })
})

it('compares stored records from setup too', async () => {
  const storing = (status: string) => ({
    ...quiet,
    setup: ({ team }: ExploreTools) => ({ order: team.orders.create().id }),
    scenario: () => {},
    check: ({ order: id }: { order: string }) => ({ stored: { orders: [{ id, status }] } }),
  })
  expect(await explore(storing('received'))).toMatchObject({ ended: 'complete' })
  await expect(explore(storing('completed'))).rejects.toThrow(
    /^Your program has stored a different status than the service for one of the orders: [\da-f-]{36}\./,
  )
})

it('accepts cancelled records that are omitted, or stored with their status', async () => {
  const storing = (stored: (id: string) => StoredRecord[]) => ({
    ...quiet,
    setup: ({ team }: ExploreTools) => ({
      order: team.orders.create({ status: 'cancelled' }).id,
      visit: team.appointments.create({ status: 'cancelled' }).id,
    }),
    scenario: () => {},
    check: (ids: { order: string; visit: string }) => ({
      stored: { orders: stored(ids.order), appointments: stored(ids.visit) },
    }),
  })
  const complete = { ended: 'complete' }
  expect(await explore(storing(() => []))).toMatchObject(complete)
  expect(await explore(storing((id) => [{ id, status: 'cancelled' }]))).toMatchObject(complete)
  const unknown = /^Your program has stored orders that the service does not have/
  await expect(explore(storing((id) => [id]))).rejects.toThrow(unknown)
  const different = /^Your program has stored a different status than the service/
  const confirmed = storing((id) => [{ id, status: 'confirmed' }])
  await expect(explore(confirmed)).rejects.toThrow(different)
})

/** A program that books and stores the events that `isStored` selects. */
function booking(isStored: (message: Message) => boolean, types?: readonly string[]) {
  return {
    ...quiet,
    setup: (tools: ExploreTools) => {
      const context = withOrder(tools)
      receive(tools, (message) => isStored(message) && context.db.seen.add(message.id), types)
      return context
    },
    scenario: ({ client, order, booking_key }: ReturnType<typeof withOrder>) =>
      client.orders.bookAndWait(order, { booking_key }),
    check: ({ db }: ReturnType<typeof withOrder>) => ({ stored: { events: [...db.seen] } }),
  }
}

const knownTypes = ['labtest.appointment.created', 'labtest.appointment.updated']

const completeBookings = [
  ['whose subscription excludes unknown events', booking(() => true, ['labtest.*'])],
  ['that ignores unknown events', booking(({ type }) => !type.includes('not_yet_specified'))],
  ['that stores unknown events', booking(() => true)],
] as const

it.each(completeBookings)('accepts the stored events of a receiver %s', async (_, program) => {
  await explore(program)
  for (const fault of ['unknown_event', 'unknown_kind']) {
    const line = `v1 1 delivery:${knownTypes[0]}#1=${fault}`
    expect(await explore.replay(line, program)).toMatchObject({ runs: 2 })
  }
})

it('accepts that events without a subscription are not stored', async () => {
  const report = await explore({
    ...quiet,
    mock: { generatedData: false },
    setup: (tools: ExploreTools) => {
      tools.team.users.create({ user_id: patient })
      const { connection, db } = { ...base(tools), ...tools }
      receive(tools, ({ id }) => db.seen.add(id), ['provider.connection.created'])
      return { client: new ServiceClient(connection), db }
    },
    scenario: ({ client }) => client.link.bulkImportAll('oura', [recipeOf(patient)]),
    check: ({ db }) => ({ stored: { events: [...db.seen] } }),
  })
  expect(report.runs).toBeGreaterThan(1)
})

it.each([
  ['with', ['labtest.appointment.*']],
  ['without', undefined],
])('finds an event that a receiver %s a filter acknowledges and drops', async (_, types) => {
  const isStored = ({ type }: Message) => type === knownTypes[0]
  await expect(explore(booking(isStored, types))).rejects.toMatchObject({
    violation: 'lost',
    message: expect.stringContaining('The service has events that your program has not stored:'),
  })
})

it('finds an event that a receiver acknowledges and stores only after a crash could happen', async () => {
  const program = booking(() => true)
  const setup = (tools: ExploreTools) => {
    const context = withOrder(tools)
    const store = async ({ id }: Message) => {
      await context.client.orders.getPhlebotomyAppointment(context.order)
      context.db.seen.add(id)
    }
    receive(tools, (message) => void store(message).catch(() => {}), ['labtest.appointment.*'])
    return context
  }
  await expect(explore({ ...program, setup, restart: () => {} })).rejects.toMatchObject({
    violation: 'lost',
    replay: expect.stringContaining('crash'),
  })
})
