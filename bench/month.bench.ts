import type { Figure } from './figure.ts'
import { fullMonth, runMonth } from './scaling/month.ts'

/** The maximum exponent by which the CPU time may grow with the size. */
const limit = 1.15

export default async function (isFull: boolean): Promise<Figure[]> {
  const full = isFull ? 1 : 1 / 25
  const seconds: number[] = []
  for (const part of [16, 4, 1]) {
    process.stderr.write(`  1/${part / full} of a month\n`)
    globalThis.gc?.()
    const start = process.threadCpuUsage()
    const report = await runMonth(full / part)
    const { user, system } = process.threadCpuUsage(start)
    if (report.imported !== Math.round((fullMonth.users * full) / part)) {
      throw new Error(`Only ${report.imported} users were imported.`)
    }
    seconds.push((user + system) / 1e6)
  }
  const [least = 1, , most = 1] = seconds
  const exponent = Math.log(most / least) / Math.log(16)
  const amounts = Object.values(fullMonth).map((amount) => (amount * full).toLocaleString('en-US'))
  const [users, dueEvents, bookings] = amounts
  return [
    {
      what: `A month: importing ${users} users, processing ${dueEvents} scheduled events, making ${bookings} concurrent bookings, and listing the results`,
      found: `exponent ${exponent.toFixed(2)}; ${most.toFixed(0)} s`,
      limit: `exponent at most ${limit}`,
      isWithin: exponent <= limit,
    },
  ]
}
