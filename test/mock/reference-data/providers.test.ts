import { expect, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { supportedResources } from '../../../src/contract/values/resources.ts'
import { call } from '../../support/call.ts'

it('lists providers that together support every resource (2.7, 4.9)', async () => {
  const { body } = await call(createMock().team(), 'GET /v2/providers')
  const found = body.flatMap((provider: { supported_resources: string[] }) => {
    return provider.supported_resources
  })
  expect(new Set(found)).toEqual(new Set(supportedResources))
})
