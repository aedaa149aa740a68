import { after, before, type Mutant, rejectCalls, sending } from '../mutant.ts'
import { booking, info, providers } from './targets.ts'

export const serviceMutants: Mutant[] = [
  {
    name: 'requires no key to read',
    only: ['5'],
    between: before(/^GET /, ({ headers }, key) => {
      if (!headers.has('x-service-api-key')) headers.set('x-service-api-key', key)
    }),
  },
  {
    name: 'requires no key to book',
    only: ['5'],
    between: before(booking, ({ headers }, key) => {
      if (!headers.has('x-service-api-key')) headers.set('x-service-api-key', key)
    }),
  },
  {
    name: 'accepts any key',
    only: ['5'],
    between: before(providers, ({ headers }, key) => {
      if (headers.has('x-service-api-key')) headers.set('x-service-api-key', key)
    }),
  },
  {
    name: 'returns JSON as text/plain',
    only: ['4'],
    between: after(providers, () => ({ headers: new Headers({ 'content-type': 'text/plain' }) })),
  },
  {
    name: 'treats a body that is not JSON as empty',
    only: ['4'],
    between: before(info, (call) => {
      if (typeof call.body !== 'string') return
      const [first_name, last_name, gender] = ['Ada', 'Stone', 'female']
      const address = { first_line: '1 Main', zip_code: '85004', state: 'AZ', city: 'Phoenix' }
      const contact = { email: 'ada@example.test', phone_number: '+16025550100' }
      call.body = { first_name, last_name, gender, dob: '1980-01-02', address, ...contact }
    }),
  },
  {
    name: 'accepts paths without their version',
    only: ['9'],
    between: before('GET /providers', ({ url }) => {
      url.pathname = '/v2/providers'
    }),
  },
  {
    name: 'has no list of all lab tests',
    only: ['9'],
    between: rejectCalls('GET /v3/lab_tests', () => true, 410),
  },
  {
    name: 'responds 404 to the list of providers',
    only: ['5', '7'],
    between: after(providers, () => ({ status: 404 })),
  },
  { name: 'sends events twice', only: ['6'], setup: sending((event) => [event, event]) },
  { name: 'sends no events', only: ['6'], setup: sending(() => []) },
  {
    name: 'sends events without their user',
    only: ['6'],
    setup: sending(({ user_id: _, ...event }) => [event]),
  },
  {
    name: 'sends connections only with their former source',
    only: ['6'],
    setup: sending((event) => {
      const { provider, ...data } = event.data
      return [provider ? { ...event, data: { ...data, source: provider } } : event]
    }),
  },
]
