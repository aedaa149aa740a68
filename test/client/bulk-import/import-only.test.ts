import { describe, expect, it } from 'vitest'
import { json } from '../../support/stub-fetch.ts'
import {
  clientOf,
  idOf,
  importAll,
  importEverybody,
  recipesUpTo,
  usersOf,
} from './import-client.ts'

describe('bulkImportAll', () => {
  describe('with `only`', () => {
    it('sends the recipes at these positions, in any order given, and no others', async () => {
      const { client, requests } = clientOf(importEverybody)
      const report = await importAll(client, recipesUpTo(10), {
        only: [
          [8, null],
          [1, 2],
          [2, 4],
          [6, 6],
        ],
      })
      expect(requests.flatMap(usersOf)).toEqual([1, 2, 3, 4, 6, 8, 9].map(idOf))
      expect(report.ranges.imported).toEqual([
        [1, 4],
        [6, 6],
        [8, 9],
      ])
    })

    it('never reports a recipe as unsent that was not selected', async () => {
      const { client } = clientOf(() => json({ detail: 'no' }, 401))
      const report = await importAll(client, recipesUpTo(10), {
        concurrency: 1,
        only: [
          [0, 2],
          [5, 7],
        ],
      })
      expect(report.ranges.unsent).toEqual([
        [0, 2],
        [5, 7],
      ])
    })

    it('sends the unsent recipes of an earlier run', async () => {
      const recipes = recipesUpTo(9)
      const { client, requests } = clientOf((request, nth) =>
        nth === 3 ? json({ detail: 'no' }, 401) : importEverybody(request, nth),
      )
      const first = await importAll(client, recipes, { concurrency: 1 })
      const second = await importAll(client, recipes, { only: first.ranges.unsent })
      expect(second.stopped).toBeUndefined()
      const sent = requests.filter((_, at) => at !== 2).flatMap(usersOf)
      expect(sent).toEqual(recipes.map(({ user_id }) => user_id))
    })
  })
})
