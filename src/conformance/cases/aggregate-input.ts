import { assertRejected } from '../assertions.ts'
import { defineCases } from '../case.ts'
import { queryAggregate } from '../operations.ts'
import { aggregateBody, sleepQuery, without } from '../request-bodies.ts'
import {
  assertQueryRejected,
  assumedColumns,
  pastDays,
  queryTables,
  readTables,
  sendQuery,
} from './aggregate-queries.ts'

export const aggregateInputCases = defineCases({
  '4.11/required': {
    title: 'Requires timeframe and queries but not config',
    rules: ['4.11/body'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      const body = aggregateBody([sleepQuery(['mean'])])
      await assertQueryRejected(service, without(body, 'timeframe'), 'a request without timeframe')
      await assertQueryRejected(service, without(body, 'queries'), 'a request without queries')
      await assertQueryRejected(service, { ...body, queries: {} }, 'queries that are not an array')
      readTables(await sendQuery(service, body))
    },
  },
  '4.11/config': {
    title: 'Accepts a config with provider_priority_overrides',
    rules: ['2.10/objects', '4.11/body'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      const config = { provider_priority_overrides: ['oura', 'fitbit'] }
      await queryTables(service, [sleepQuery(['mean'])], { config })
      const wrong = { config: { provider_priority_overrides: 'oura' } }
      await assertQueryRejected(
        service,
        aggregateBody([sleepQuery(['mean'])], wrong),
        'a string for an array',
      )
    },
  },
  '4.11/uuid': {
    title: 'Rejects a user id that is not a UUID',
    rules: ['4.11/path'],
    readOnly: true,
    async run(service) {
      const request = {
        params: { user_id: 'not-a-uuid' },
        body: aggregateBody([sleepQuery(['mean'])]),
      }
      assertRejected(await service.call(queryAggregate, request), 'a user_id that is not a UUID')
    },
  },
  '2.10/value': {
    title: 'Rejects a value that is not a positive integer',
    rules: ['2.10/value'],
    needs: ['user'],
    readOnly: true,
    async run(service) {
      for (const value of [0, -1, 1.5, 'one']) {
        const body = aggregateBody([sleepQuery(['mean'])], pastDays(value))
        await assertQueryRejected(service, body, 'a value of past that is not a positive integer')
        const date_trunc = { unit: 'day', value }
        const group_by = [{ date_trunc, arg: { index: 'sleep' } }]
        const grouped = aggregateBody([sleepQuery(['mean'], { group_by })])
        await assertQueryRejected(
          service,
          grouped,
          'a value of date_trunc that is not a positive integer',
        )
      }
    },
  },
  '2.10/minute': {
    title: 'Accepts the time unit minute',
    rules: ['2.10/value'],
    needs: ['user'],
    readOnly: true,
    assumption: assumedColumns,
    async run(service) {
      await queryTables(service, [sleepQuery(['mean'])], pastDays(90, 'minute'))
    },
  },
  '2.10/anchor': {
    title: 'Rejects an anchor that is not a date',
    rules: ['2.10/objects'],
    needs: ['user'],
    readOnly: true,
    async run(service) {
      for (const anchor of ['yesterday', '2025-02-30']) {
        const { timeframe } = pastDays(1)
        const changes = { timeframe: { ...timeframe, anchor } }
        const body = aggregateBody([sleepQuery(['mean'])], changes)
        await assertQueryRejected(service, body, 'an anchor that is not a date')
      }
    },
  },
})
