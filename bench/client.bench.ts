import { type Figure, ratio } from './figure.ts'
import { measureTasks } from './measure-tasks.ts'

export default async function (isFull: boolean): Promise<Figure[]> {
  const rounds = isFull ? 3 : 1
  const call = measureTasks(rounds, ['client', 'ky', 'fetch'])
  const page = measureTasks(rounds, ['clientPage', 'kyPage', 'fetchPage'])
  const check = measureTasks(rounds, ['check', 'parse'])
  return [
    { what: 'CPU time of a call with a 1 KB response', found: `${call.client.toFixed(0)} µs` },
    ratio('A 1 KB call: the client / ky(url).json()', call.client / call.ky, 1.2),
    {
      what: 'A 1 KB call: the client / fetch',
      found: (call.client / call.fetch).toFixed(2),
    },
    ratio(
      'A validated page of 100 markers: the client / fetch and json()',
      page.clientPage / page.fetchPage,
      1.35,
    ),
    {
      what: 'A page of 100 markers: ky(url).json() / fetch and json()',
      found: (page.kyPage / page.fetchPage).toFixed(2),
    },
    ratio('A page of 100 markers: validation / JSON.parse', check.check / check.parse, 0.05),
  ]
}
