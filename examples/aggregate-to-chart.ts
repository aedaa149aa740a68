/** Draws the hourly heart rate of one day as a chart in the terminal: `npm run example examples/aggregate-to-chart.ts`. */

import { dateTrunc, max, mean, min, past, query, rows, ServiceClient } from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { check, part, printSummary, range, table } from './support/terminal.ts'

const team = createMock({ seed: 42, now: '2025-06-01T23:59:00Z' }).team()
const client = new ServiceClient(team.connection())
const { user_id } = team.users.create()

const { results } = await client.aggregate.query(user_id, {
  timeframe: past(1, 'day', '2025-06-01'),
  queries: [
    query(min('heartrate', 'value'), mean('heartrate', 'value'), max('heartrate', 'value')).groupBy(
      dateTrunc('heartrate', 1, 'hour'),
    ),
  ],
})

part('Heart rate by hour, in beats per minute')
const axis = { from: 40, to: 100 }
const lines = rows(results[0]).map((row) => {
  const hour = { min: Number(row.min), mean: Number(row.mean), max: Number(row.max) }
  return [String(row.index).slice(11, 16), hour.mean.toFixed(0), range(hour, axis, 60)]
})
table(['hour', 'mean', `from ${axis.from} to ${axis.to}`], lines)
check('at least 23 of the 24 hours have a row', lines.length >= 23)
printSummary()
