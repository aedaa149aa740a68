import { createMock, type Team } from '../mock/index.ts'
import { History } from '../mock/snapshot/history.ts'
import { ServiceClient } from '../src/index.ts'
import { cpuTime, type Figure, heap, megabytes, ratio } from './figure.ts'

/** One point for the start, and three for each order and its booking. */
const bookings = 333
const points = 3 * bookings + 1

async function makeRequests(team: Team): Promise<void> {
  const client = new ServiceClient(team.connection())
  for (let count = 0; count < bookings; count += 1) {
    const { id } = team.orders.create()
    await client.orders.bookPhlebotomyAppointment(id, { booking_key: 'bk_confirm_after_3s' })
    await client.link.listProviders()
  }
}

async function timeOfRequests(isRecorded: boolean): Promise<number> {
  return cpuTime(5, async () => {
    const team = createMock().team()
    if (isRecorded) team.state.recorder = new History(team.state)
    await makeRequests(team)
  })
}

async function slowest(history: History, open: (number: number) => unknown): Promise<number> {
  let most = 0
  for (const { number } of history.points()) {
    most = Math.max(most, await cpuTime(1, () => open(number)))
  }
  return most
}

function milliseconds(what: string, found: number): Figure {
  return { what, found: `${found.toFixed(1)} ms`, limit: 'at most 50 ms', isWithin: found <= 50 }
}

export default async function (): Promise<Figure[]> {
  const mock = createMock({ journalLimit: 1, outboxLimit: 1 })
  const team = mock.team()
  const history = new History(team.state)
  team.state.recorder = history
  const before = heap()
  await makeRequests(team)
  const growth = heap() - before
  if (history.count !== points) throw new Error(`Only ${history.count} points were recorded.`)
  return [
    ratio(
      'CPU time of requests in a team with a history / without a history',
      (await timeOfRequests(true)) / (await timeOfRequests(false)),
      2,
    ),
    megabytes(
      `Heap growth for ${points} points in a history, including the team's records`,
      growth,
      32,
    ),
    milliseconds(
      'CPU time to open the slowest of 1,000 points in a history',
      await slowest(history, (number) => JSON.stringify(history.get(number))),
    ),
    milliseconds(
      'CPU time to return the snapshot of the slowest of 1,000 points in a history',
      await slowest(history, (number) => JSON.stringify(history.stateAt(number).snapshot)),
    ),
  ]
}
