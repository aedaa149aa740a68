import { type Figure, ratio } from './figure.ts'
import { measureCreation, runYear } from './living/year.ts'

/** The maximum time per row, relative to `team.data.create`. */
const limit = 2

const users = Number(process.env['LIVING_USERS'] ?? 20)

/** Delivers the events of living users to a consumer: a year for many users, or a month for a few. */
export default async function (isFull: boolean): Promise<Figure[]> {
  const size = isFull ? { users, days: 365 } : { users: 4, days: 30 }
  const creation = measureCreation(30_000)
  const { rows, events, perRow, heapPerUser } = await runYear(size)
  const what = `${size.users} living users for ${size.days} days, with faulty deliveries to a consumer that checks all rows (${rows.toLocaleString('en-US')} rows in ${events.toLocaleString('en-US')} events)`
  return [
    ratio(`${what}: CPU time per row / \`team.data.create\``, perRow / creation, limit),
    {
      what: "Heap growth per living user, including the consumer's digests",
      found: `${Math.round(heapPerUser / 1024)} kB`,
    },
  ]
}
