import { assertEqual, assertSameItems, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { Need } from '../../setup.ts'
import {
  countConnected,
  importAndWait,
  importTeam,
  newUsers,
  submitImport,
  teamWithUsers,
} from './submit-import.ts'

const needsTeam: readonly Need[] = ['team', 'user']
const needsProgress: readonly Need[] = [...needsTeam, 'connections', 'advance']

/** The wait window of imports in milliseconds (specification part 8). */
const waitWindow = 20_000

export const importTimeCases = defineCases(needsProgress, {
  '4.3/just-in-time': {
    title: 'Returns 200 when the import takes slightly less than 20 seconds',
    rules: ['4.3/wait', '7/bulk-import', '8/wait-window'],
    needs: needsTeam,
    async run(service) {
      for (const [count, importTime] of [
        [1, 19_999],
        [6, 3000],
        [2, 9999],
      ] as const) {
        const { team, users } = await teamWithUsers(service, count, { importTime })
        const { imported } = await importAndWait(team, users)
        assertSameItems(imported, users, 'user_ids_imported')
      }
    },
  },
  '4.3/not-in-time': {
    title: 'Returns 202 when the import takes slightly more than 20 seconds',
    rules: ['4.3/wait', '7/bulk-import', '8/wait-window'],
    needs: needsTeam,
    async run(service) {
      for (const [count, importTime] of [
        [1, 20_001],
        [7, 3000],
        [2, 10_001],
      ] as const) {
        const { team, users } = await teamWithUsers(service, count, { importTime })
        assertSuccess(await submitImport(team, users, { wait_for_completion: true }), 202)
      }
    },
  },
  '4.3/waits': {
    title: 'Waits until an import completes, but no longer than 20 seconds',
    rules: ['4.3/wait', '8/wait-window'],
    needs: [...needsTeam, 'now'],
    async run(service) {
      for (const importTime of [8000, 60_000]) {
        const { team, users } = await teamWithUsers(service, 1, { importTime })
        const start = await team.now()
        assertSuccess(await submitImport(team, users, { wait_for_completion: true }))
        const elapsed = (await team.now()) - start
        const expected = Math.min(importTime, waitWindow)
        // Allow one second for the service's other work.
        const isInTime = elapsed >= expected && elapsed <= expected + 1000
        assertThat(
          isInTime,
          `Expected a response after ${expected} ms of the service's time, found one after ${elapsed} ms.`,
        )
      }
    },
  },
  '4.3/background': {
    title: 'Completes an accepted import in the background',
    rules: ['4.3/queued', '3.2/queued', '4.3/wait'],
    async run(service) {
      for (const wait_for_completion of [false, true]) {
        const { team, users } = await teamWithUsers(service, 10, { importTime: 3000 })
        assertSuccess(await submitImport(team, users, { wait_for_completion }), 202)
        const early = await countConnected(team, users)
        assertThat(early < 10, 'Expected the import to be incomplete, but found it completed.')
        await team.setup.advance(31_000)
        assertEqual(await countConnected(team, users), 10, 'the number of connected users')
      }
    },
  },
  '4.3/short-period': {
    title: 'Completes all 25 imports that are submitted in a short period',
    rules: ['4.3/volume', '4.3/queued'],
    async run(service) {
      const team = await importTeam(service, { importTime: 1000 })
      const groups: string[][] = []
      for (let at = 0; at < 25; at += 1) {
        const users = await newUsers(team, 1)
        groups.push(users)
        assertSuccess(await submitImport(team, users), 202)
      }
      await team.setup.advance(26_000)
      assertEqual(await countConnected(team, groups.flat()), 25, 'the number of connected users')
    },
  },
  '4.3/undisrupted': {
    title: 'Does not disrupt a running import when another one is submitted',
    rules: ['4.3/volume'],
    async run(service) {
      const team = await importTeam(service, { importTime: 1000 })
      const [running, later] = [await newUsers(team, 5), await newUsers(team, 3)]
      assertSuccess(await submitImport(team, running), 202)
      await team.setup.advance(2000)
      assertSuccess(await submitImport(team, later, { provider: 'fitbit' }), 202)
      await team.setup.advance(3500)
      assertEqual(
        await countConnected(team, running),
        5,
        'the number of users connected by the running import',
      )
      await team.setup.advance(4000)
      assertEqual(
        await countConnected(team, later, 'fitbit'),
        3,
        'the number of users connected by the later import',
      )
      assertEqual(
        await countConnected(team, running),
        5,
        'the number of users connected by the first import',
      )
    },
  },
})
