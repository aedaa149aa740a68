import { expect, it } from 'vitest'
import type { ConnectionRecipe } from '../../src/index.ts'
import { recipe } from '../support/bodies.ts'
import { prepare } from './setup.ts'

/** Five recipes, of which the second and third are invalid. */
function someInvalid({ team }: ReturnType<typeof prepare>) {
  const invalid: ConnectionRecipe = recipe('no UUID')
  const users = Array.from({ length: 3 }, () => recipe(team.users.create().user_id))
  return users.toSpliced(1, 0, invalid, invalid)
}

const options = { batchSize: 2, concurrency: 1 }

it('does not count invalid recipes of an earlier run as sent', async () => {
  const setup = prepare()
  const { team, start } = setup
  const recipes = someInvalid(setup)
  team.faults.add({ on: 'link.bulkImport', when: { nth: 2 }, then: { status: 403 } })
  const run = () => start({}, { maxRetries: 0 }).link.bulkImportAll('one', 'oura', recipes, options)
  await expect(run()).rejects.toMatchObject({ code: 'pending' })
  const report = await run()
  expect(report).toMatchObject({ sent: 3, accepted: 3, failed: 2, unknown: 0 })
  expect(report.ranges).toMatchObject({
    failed: [[1, 2]],
    accepted: [
      [0, 0],
      [3, 4],
    ],
  })
})

it('lets the id be used again if only invalid recipes were handled', async () => {
  const setup = prepare()
  const { team, start } = setup
  const recipes = someInvalid(setup)
  team.faults.add({ on: 'link.bulkImport', when: { first: 1 }, then: { status: 403 } })
  const { link } = start({}, { maxRetries: 0 })
  const run = () => link.bulkImportAll('one', 'oura', recipes.slice(1), options)
  await expect(run()).rejects.toMatchObject({ status: 403 })
  expect(await start().unresolved()).toEqual([])
})
