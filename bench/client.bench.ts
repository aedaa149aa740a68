import { type Figure, ratio } from './figure.ts'
import { measureTasks, median, ratioOf } from './measure-tasks.ts'

export default async function (isFull: boolean): Promise<Figure[]> {
  const rounds = isFull ? 200 : 24
  const call = await measureTasks(rounds, ['client', 'ky', 'fetch'])
  const page = await measureTasks(rounds / 2, ['clientPage', 'kyPage', 'fetchPage'])
  const check = await measureTasks(rounds, ['check', 'parse'])
  return [
    {
      what: 'CPU time of a call with a 1 KB response',
      found: `${median(call.client).toFixed(0)} µs`,
    },
    ratio('A 1 KB call: the client / ky(url).json()', ratioOf(call, 'client', 'ky'), 1.2),
    { what: 'A 1 KB call: the client / fetch', found: ratioOf(call, 'client', 'fetch').toFixed(2) },
    ratio(
      'A validated page of 100 markers: the client / fetch and json()',
      ratioOf(page, 'clientPage', 'fetchPage'),
      1.35,
    ),
    {
      what: 'A page of 100 markers: ky(url).json() / fetch and json()',
      found: ratioOf(page, 'kyPage', 'fetchPage').toFixed(2),
    },
    ratio('A page of 100 markers: validation / JSON.parse', ratioOf(check, 'check', 'parse'), 0.05),
  ]
}
