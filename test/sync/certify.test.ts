import { expect, it } from 'vitest'
import { certifySync } from '../../scripts/sync-proof/certify.ts'
import { useServers } from '../support/stores.ts'

const { databases } = useServers()
const [pglite, pool] = databases

it.for([pglite, pool])('passes certify with $name', async (subject, { skip }) => {
  if (!subject?.isThere) return skip()
  expect(await certifySync(subject.db())).toEqual({ failed: [], skipped: [] })
})
