import { createContext, runInContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { ServiceClient } from '../../../src/index.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('responds with a requisition form when TextEncoder is of another realm, as with jsdom', async () => {
  const ForeignBytes: typeof Uint8Array = runInContext('Uint8Array', createContext())
  const platform = new TextEncoder()
  vi.stubGlobal(
    'TextEncoder',
    class {
      encode = (text?: string) => ForeignBytes.from(platform.encode(text))
    },
  )
  const team = createMock().team()
  const client = new ServiceClient(team.connection())
  const form = await client.orders.downloadRequisition(team.orders.create().id)
  expect(new TextDecoder().decode(await form.bytes())).toMatch(/^%PDF-.*%%EOF\s*$/s)
})
