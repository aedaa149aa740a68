import { parseArgs } from 'node:util'
import { crash } from './crash.ts'

/**
 * Kills processes around `orders.create` and checks that each order exists once: `npm run lab crashes`, or
 * `npm run lab crashes -- --kills 100 --seed 7`. Exits with 1 if an order is missing or exists twice.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
})

const { kills, orders, requests, problems } = await crash(
  Number(values.kills),
  Number(values.seed),
  4,
)
console.log(
  `${kills} processes were killed while they created ${orders} orders with ${requests} requests.`,
)
console.log(`${problems.length} orders are missing or exist twice.`)
for (const own of problems.slice(0, 50)) console.error(`PROBLEM: ${own}`)
process.exitCode = problems.length > 0 ? 1 : 0
