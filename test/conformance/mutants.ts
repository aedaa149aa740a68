import {
  after,
  answering,
  before,
  type Json,
  type Mutant,
  rejecting,
  sending,
  teamsLike,
} from './mutant.ts'

const info = /^PATCH .*\/info$/
const token = /^POST .*\/sign_in_token$/
const insurance = /^POST .*\/insurance$/
const imports = 'POST /v2/link/bulk_import'
const ops = 'GET /v2/link/bulk_op'
const providers = 'GET /v2/providers'
const deletion = /^DELETE /
const markers = 'GET /v3/lab_tests/markers'
const testMarkers = /^GET \/v3\/lab_tests\/[^/]{36}\/markers$/
const orderSet = 'POST /v3/lab_tests/list_order_set_markers'
const pages = /^(?:GET|POST) \/v3\/lab_tests\/.*markers$/
const labTests = 'GET /v3/lab_test'
const booking = /^POST .*\/book$/
const appointment = /^GET .*\/phlebotomy\/appointment$/
const order = 'POST /v3/order'
const aggregate = /^POST \/aggregate\/.*\/query$/
const summaries = /^GET \/v2\/summary\//
const profile = /^GET \/v2\/summary\/profile\//
const sync = 'sync_confirmation_timeout_millisecond'
const asyncTimeout = 'async_confirmation_timeout_millisecond'

/** Puts the nearest bound in the place of a value that is beyond it. */
function clamp(body: Json, field: string, minimum: number, maximum: number): void {
  const value = body[field]
  if (Number.isInteger(value)) body[field] = Math.min(maximum, Math.max(minimum, value))
}

function clampQuery(url: URL, name: string, minimum: number, maximum: number): void {
  const value = Number(url.searchParams.get(name) ?? Number.NaN)
  if (!Number.isInteger(value)) return
  url.searchParams.set(name, String(Math.min(maximum, Math.max(minimum, value))))
}

const aDay = { unit: 'day', value: 1 }

/** The mock in many small ways other than the specification. */
export const mutants: Mutant[] = [
  // Users
  {
    name: 'never updates user info after the first time',
    only: ['4.2'],
    between: (fetch, key) => {
      const first = new Map<string, Json>()
      const keep = answering(info, (body, { url }) => {
        const known = first.get(url.pathname)
        if (known) Object.assign(body, known)
        else first.set(url.pathname, { ...body })
      })
      return keep(fetch, key)
    },
  },
  {
    name: 'accepts user info without an email',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      if (typeof body === 'object' && !('email' in body)) body.email = 'x@example.test'
    }),
  },
  {
    name: 'accepts null for a phone number',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      body.phone_number ??= '+16025550100'
    }),
  },
  {
    name: 'accepts any string for an email',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      if (typeof body.email === 'string') body.email = 'x@example.test'
    }),
  },
  {
    name: 'accepts the 30th of February for a dob',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      if (body.dob === '1980-02-30') body.dob = '1980-02-28'
    }),
  },
  {
    name: 'accepts a number for a first name',
    only: ['2.1'],
    between: before(info, ({ body }) => {
      if (typeof body.first_name === 'number') body.first_name = String(body.first_name)
    }),
  },
  {
    name: 'drops the medical proxy',
    only: ['2.1'],
    between: answering(info, (body) => {
      body.medical_proxy = null
    }),
  },
  {
    name: 'drops a race that it does not know',
    only: ['2.1'],
    between: answering(info, (body) => {
      if (body.race === 'white_caucasian') body.race = 'other'
    }),
  },
  {
    name: 'rejects null for the second line of an address',
    only: ['2.1'],
    between: rejecting(info, ({ body }) => body?.address?.second_line === null),
  },
  {
    name: 'rejects a gender it does not know',
    only: ['2.1'],
    between: rejecting(info, ({ body }) => !['female', 'male'].includes(body?.gender)),
  },
  {
    name: 'returns the dob with a time',
    only: ['2.1', '4.2'],
    between: answering(info, (body) => {
      body.dob = `${body.dob}T00:00:00Z`
    }),
  },
  {
    name: 'returns user info without the address',
    only: ['2.1'],
    between: answering(info, (body) => {
      delete body.address
    }),
  },
  // Sign-in tokens
  {
    name: 'issues sign-in tokens for another user',
    only: ['4.7'],
    between: answering(token, (body) => {
      body.user_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
    }),
  },
  {
    name: 'issues empty sign-in tokens',
    only: ['4.7'],
    between: answering(token, (body) => {
      body.sign_in_token = ''
    }),
  },
  {
    name: 'issues sign-in tokens for ids that are not UUIDs',
    only: ['4.7'],
    between: before(token, ({ url }) => {
      url.pathname = url.pathname.replace('not-a-uuid', '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55')
    }),
  },
  // Insurance
  {
    name: 'returns an insurance without its company',
    only: ['2.2'],
    between: answering(insurance, (body) => {
      delete body.company
    }),
  },
  {
    name: 'makes an insurance a secondary one by default',
    only: ['2.2'],
    between: before(insurance, ({ body }) => {
      body.is_primary ??= false
    }),
  },
  {
    name: 'makes every insurance the primary one',
    only: ['2.2'],
    between: answering(insurance, (body) => {
      body.is_primary = true
    }),
  },
  {
    name: 'returns null for a missing second line',
    only: ['2.2'],
    between: answering(insurance, ({ insured }) => {
      insured.address.second_line ||= null
    }),
  },
  {
    name: 'stores MEDFED unchanged',
    only: ['4.1'],
    between: answering(insurance, (body, call) => {
      body.payor_code = call.body.payor_code
    }),
  },
  {
    name: 'infers one regional plan for every state',
    only: ['4.1'],
    between: answering(insurance, (body, call) => {
      if (call.body.payor_code === 'MAIDFED') body.payor_code = 'MAIDNY'
    }),
  },
  {
    name: 'accepts an insurance without a member id',
    only: ['2.2'],
    between: before(insurance, ({ body }) => {
      body.member_id ??= 'none'
    }),
  },
  {
    name: 'returns the household income as a string',
    only: ['2.1', '2.2'],
    between: answering(insurance, ({ guarantor }) => {
      if (guarantor) guarantor.household_income = String(guarantor.household_income)
    }),
  },
  {
    name: 'drops the group id',
    only: ['2.2'],
    between: answering(insurance, (body) => {
      body.group_id = null
    }),
  },
  {
    name: 'accepts a string for is_primary',
    only: ['2.2'],
    between: before(insurance, ({ body }) => {
      if (typeof body.is_primary === 'string') body.is_primary = true
    }),
  },
  {
    name: 'returns relationships in lower case',
    only: ['2.2', '4.1'],
    between: answering(insurance, (body) => {
      body.relationship = body.relationship.toLowerCase()
    }),
  },
  {
    name: 'drops the access notes of an address',
    only: ['2.2'],
    between: answering(insurance, ({ insured }) => {
      insured.address.access_notes = null
    }),
  },
  // Bulk import
  {
    name: 'responds 200 to an import that it has only accepted',
    only: ['4.3'],
    between: after(imports, ({ status }) => (status === 202 ? { status: 200 } : {})),
  },
  {
    name: 'responds 202 to an import that completed in time',
    only: ['4.3'],
    between: after(imports, ({ status }) => (status === 200 ? { status: 202 } : {})),
  },
  {
    name: 'waits for completion by default',
    only: ['4.3'],
    between: before(imports, ({ body }) => {
      body.wait_for_completion ??= true
    }),
  },
  {
    name: 'waits 10 seconds for an import instead of 20',
    only: ['4.3'],
    setup: teamsLike(({ importTime, ...like }) =>
      importTime === undefined ? like : { ...like, importTime: importTime * 2 },
    ),
  },
  {
    name: 'waits 30 seconds for an import instead of 20',
    only: ['4.3'],
    setup: teamsLike(({ importTime, ...like }) =>
      importTime === undefined ? like : { ...like, importTime: importTime / 1.5 },
    ),
  },
  {
    name: 'reports imports that failed as imported',
    only: ['4.3'],
    between: answering(imports, (body) => {
      body.user_ids_imported.push(...body.user_ids_failed.splice(0))
    }),
  },
  {
    name: 'returns a completed import without user_ids_failed',
    only: ['4.3'],
    between: answering(imports, (body) => {
      delete body.user_ids_failed
    }),
  },
  {
    name: 'reports a user as imported and as failed',
    only: ['4.3'],
    between: answering(imports, (body) => {
      body.user_ids_failed.push(...body.user_ids_imported)
    }),
  },
  {
    name: 'imports for teams without link migration',
    only: ['4.3'],
    setup: teamsLike(({ linkMigration: _, ...like }) => like),
  },
  {
    name: 'imports without a credential of the team',
    only: ['4.3'],
    setup: teamsLike(({ oauthCredentials: _, ...like }) => like),
  },
  {
    name: 'accepts at most 1,000 connections',
    only: ['4.3'],
    between: rejecting(imports, ({ body }) => body.connections.length > 1000, 413),
  },
  {
    name: 'accepts only one import of a team at a time',
    only: ['4.3'],
    between: (fetch, key) => {
      const busy = new Set<string | null>()
      const once = rejecting(
        imports,
        ({ headers }) => {
          const team = headers.get('x-service-api-key')
          const wasBusy = busy.has(team)
          busy.add(team)
          return wasBusy
        },
        409,
      )
      return once(fetch, key)
    },
  },
  {
    name: 'never ends an import',
    only: ['4.3'],
    between: answering(ops, ({ data }) => {
      for (const op of data) op.status = 'in_progress'
    }),
  },
  {
    name: 'accepts an import without a provider',
    only: ['4.3'],
    between: before(imports, ({ body }) => {
      body.provider ??= 'oura'
    }),
  },
  {
    name: 'rejects connections with scopes',
    only: ['2.4'],
    between: rejecting(imports, ({ body }) => body.connections[0].oauth_scopes),
  },
  {
    name: 'accepts a string for the time at which a token expires',
    only: ['2.4'],
    between: before(imports, ({ body }) => {
      for (const recipe of body.connections) {
        if (typeof recipe.expires_at === 'string') recipe.expires_at = 0
      }
    }),
  },
  // Providers and connections
  {
    name: 'lists providers without a description',
    only: ['2.7'],
    between: answering(providers, (body) => {
      delete body[0].description
    }),
  },
  {
    name: 'lists a provider twice',
    only: ['2.7'],
    between: answering(providers, (body) => {
      body.push(body[0])
    }),
  },
  {
    name: 'ignores source_type',
    only: ['4.9'],
    between: before(providers, ({ url }) => url.searchParams.delete('source_type')),
  },
  {
    name: 'reports a connection as deleted but keeps it',
    only: ['4.10'],
    between: before(deletion, (call) => {
      call.url.pathname = call.url.pathname.replace('oura', 'apple_health_kit')
    }),
    setup: (setup) => ({
      ...setup,
      connect: (user, provider) =>
        setup.connect?.(user, provider === 'oura' ? 'apple_health_kit' : provider),
    }),
  },
  {
    name: 'deletes every connection of the user',
    only: ['4.10'],
    between: (fetch) => async (input, init) => {
      const url = String(input)
      if (init?.method === 'DELETE' && url.endsWith('/oura')) {
        await fetch(url.replace(/oura$/, 'fitbit'), init)
      }
      return fetch(input, init)
    },
  },
  {
    name: 'deletes connections to phones in Auto Connect mode',
    only: ['4.10'],
    options: { sdkMode: 'explicit' },
  },
  {
    name: 'keeps connections to phones in the explicit mode',
    only: ['4.10'],
    setup: teamsLike(({ sdkMode: _, ...like }) => like),
  },
  {
    name: 'deletes connections of users whose ids are not UUIDs',
    only: ['4.10'],
    between: rejecting(/^DELETE .*not-a-uuid/, () => true, 200),
  },
  {
    name: 'returns success as a string',
    only: ['4.10'],
    between: answering(deletion, (body) => {
      body.success = String(body.success)
    }),
  },
  // Markers
  {
    name: 'prefers lab_id to lab_slug',
    only: ['4.4'],
    between: before(markers, ({ url }) => {
      if (url.searchParams.has('lab_id')) url.searchParams.delete('lab_slug')
    }),
  },
  {
    name: 'ignores lab_id',
    only: ['4.4'],
    between: before(markers, ({ url }) => url.searchParams.delete('lab_id')),
  },
  {
    name: 'ignores lab_slug',
    only: ['4.4'],
    between: before(markers, ({ url }) => url.searchParams.delete('lab_slug')),
  },
  {
    name: 'ignores the name of a marker',
    only: ['4.4'],
    between: before(markers, ({ url }) => url.searchParams.delete('name')),
  },
  {
    name: 'starts again after the last page',
    only: ['4.5'],
    between: before(testMarkers, ({ url }) => {
      if (url.searchParams.get('page') === '1000') url.searchParams.set('page', '1')
    }),
  },
  {
    name: 'counts pages from 0',
    only: ['2.5', '4.4', '4.5'],
    between: before(pages, ({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 0)
      url.searchParams.set('page', String(page + 1))
    }),
  },
  {
    name: 'repeats the last marker of a page on the next one',
    only: ['4.4'],
    between: (fetch, key) => {
      let last: Json
      const repeat = answering(pages, (body) => {
        if (last && body.page > 1 && body.markers.length > 0) body.markers[0] = last
        last = body.markers.at(-1)
      })
      return repeat(fetch, key)
    },
  },
  {
    name: 'omits the last marker of each page',
    only: ['4.4'],
    between: answering(markers, (body) => {
      if (body.markers.length > 3) body.markers.pop()
    }),
  },
  {
    name: 'returns 20 markers by default',
    only: ['4.4', '4.5'],
    between: before(pages, ({ url }) => {
      if (!url.searchParams.has('size')) url.searchParams.set('size', '20')
    }),
  },
  {
    name: 'returns the second page by default',
    only: ['4.5'],
    between: before(testMarkers, ({ url }) => {
      if (!url.searchParams.has('page')) url.searchParams.set('page', '2')
    }),
  },
  {
    name: 'accepts pages of more than 100',
    only: ['4.4', '8'],
    between: before(markers, ({ url }) => clampQuery(url, 'size', 0, 100)),
  },
  {
    name: 'accepts pages of 0',
    only: ['4.5'],
    between: before(testMarkers, ({ url }) => clampQuery(url, 'size', 1, 1000)),
  },
  {
    name: 'accepts page 0',
    only: ['4.6'],
    between: before(orderSet, ({ url }) => clampQuery(url, 'page', 1, 1000)),
  },
  {
    name: 'accepts only pages of less than 100',
    only: ['4.5'],
    between: rejecting(testMarkers, ({ url }) => url.searchParams.get('size') === '100'),
  },
  {
    name: 'counts the markers of the page as total',
    only: ['4.4', '4.5'],
    between: answering(pages, (body) => {
      body.total = body.markers.length
    }),
  },
  {
    name: 'counts one page too many',
    only: ['4.5'],
    between: answering(testMarkers, (body) => {
      body.pages += 1
    }),
  },
  {
    name: 'returns the markers of a lab test without pages',
    only: ['4.5'],
    between: answering(testMarkers, (body) => {
      delete body.pages
    }),
  },
  {
    name: 'ignores the lab account',
    only: ['4.4', '4.5'],
    between: before(pages, ({ url }) => url.searchParams.delete('lab_account_id')),
  },
  {
    name: 'returns prices as numbers',
    only: ['2.5'],
    between: answering(markers, (body) => {
      for (const marker of body.markers) marker.price = Number.parseFloat(marker.price) || 0
    }),
  },
  {
    name: 'returns LOINC codes as numbers',
    only: ['2.5'],
    between: answering(markers, (body) => {
      for (const { expected_results } of body.markers) expected_results[0].loinc.code = 1
    }),
  },
  {
    name: 'ignores the add-on of an order set',
    only: ['4.6'],
    between: before(orderSet, ({ body }) => {
      if (body.lab_test_ids) delete body.add_on
    }),
  },
  {
    name: 'lists some of the markers of an order set only',
    only: ['4.6'],
    between: answering(orderSet, (body) => {
      body.markers = body.markers.slice(0, 1)
    }),
  },
  {
    name: 'accepts a string for the lab tests of an order set',
    only: ['4.6'],
    between: before(orderSet, ({ body }) => {
      if (typeof body.lab_test_ids === 'string') body.add_on = { provider_ids: ['1'] }
      if (typeof body.lab_test_ids === 'string') delete body.lab_test_ids
    }),
  },
  {
    name: 'ignores cursors',
    only: ['4.12'],
    between: before(labTests, ({ url }) => url.searchParams.delete('next_cursor')),
  },
  {
    name: 'ignores lab_test_limit',
    only: ['4.12'],
    between: before(labTests, ({ url }) => url.searchParams.delete('lab_test_limit')),
  },
  // Bookings
  {
    name: 'never cancels a pending appointment',
    only: ['3.1', '8'],
    between: answering(appointment, (body) => {
      if (body.status === 'cancelled') body.status = 'pending'
    }),
  },
  {
    name: 'stops booking once the appointment is pending',
    only: ['3.1'],
    between: answering(appointment, (body) => {
      if (body.status === 'confirmed') body.status = 'pending'
    }),
  },
  {
    name: 'confirms a cancelled appointment',
    only: ['3.1'],
    between: answering(appointment, (body) => {
      if (body.status === 'cancelled') body.status = 'confirmed'
    }),
  },
  {
    name: 'responds 400 to a failed booking',
    only: ['7'],
    between: after(booking, ({ status }) => (status === 500 ? { status: 400 } : {})),
  },
  {
    name: 'responds 200 to a failed booking',
    only: ['7'],
    between: after(booking, ({ status }) => (status === 500 ? { status: 200 } : {})),
  },
  {
    name: 'returns a pending appointment as reserved',
    only: ['3.1'],
    between: answering(booking, (body) => {
      if (body.status === 'pending') body.status = 'reserved'
    }),
  },
  {
    name: 'books in the background by default',
    only: ['4.8'],
    between: before(booking, ({ body }) => {
      body.async_confirmation ??= true
    }),
  },
  {
    name: 'returns every background booking as pending',
    only: ['3.1'],
    between: answering(booking, (body, call) => {
      if (call.body.async_confirmation) body.status = 'pending'
    }),
  },
  {
    name: 'uses the async timeout of a synchronous booking',
    only: ['4.8'],
    between: rejecting(booking, ({ body }) => body[asyncTimeout] && !body.async_confirmation, 500),
  },
  {
    name: 'uses the sync timeout of a synchronous booking',
    only: ['4.8'],
    between: before(booking, ({ body }) => {
      if (body[sync] && !body.async_confirmation) body.async_confirmation = true
    }),
  },
  {
    name: 'never returns a pending appointment',
    only: ['3.1'],
    between: before(booking, ({ body }) => {
      if (body.async_confirmation === true) body.async_confirmation = false
    }),
  },
  {
    name: 'waits 5,000 milliseconds by default',
    only: ['8'],
    between: before(booking, ({ body }) => {
      body[sync] ??= 5000
    }),
  },
  {
    name: 'waits 1,000 milliseconds by default',
    only: ['8'],
    between: before(booking, ({ body }) => {
      body[sync] ??= 1000
    }),
  },
  {
    name: 'cancels after 10 minutes by default',
    only: ['8'],
    between: before(booking, ({ body }) => {
      body[asyncTimeout] ??= 600_000
    }),
  },
  {
    name: 'cancels after an hour by default',
    only: ['8'],
    between: before(booking, ({ body }) => {
      body[asyncTimeout] ??= 3_600_000
    }),
  },
  {
    name: 'accepts a sync timeout of 999 milliseconds',
    only: ['8'],
    between: before(booking, ({ body }) => clamp(body, sync, 1000, 1e9)),
  },
  {
    name: 'accepts a sync timeout of 10,001 milliseconds',
    only: ['8'],
    between: before(booking, ({ body }) => clamp(body, sync, 0, 10_000)),
  },
  {
    name: 'rejects a sync timeout of 10,000 milliseconds',
    only: ['8'],
    between: rejecting(booking, ({ body }) => body[sync] === 10_000),
  },
  {
    name: 'accepts an async timeout of 59,999 milliseconds',
    only: ['8'],
    between: before(booking, ({ body }) => clamp(body, asyncTimeout, 60_000, 1e9)),
  },
  {
    name: 'accepts an async timeout of more than 48 hours',
    only: ['8'],
    between: before(booking, ({ body }) => clamp(body, asyncTimeout, 0, 172_800_000)),
  },
  {
    name: 'rejects null for a timeout',
    only: ['8'],
    between: rejecting(booking, ({ body }) => body[asyncTimeout] === null),
  },
  {
    name: 'accepts notes of any length',
    only: ['8'],
    between: before(booking, ({ body }) => {
      if (typeof body.appointment_notes === 'string') {
        body.appointment_notes = body.appointment_notes.slice(0, 1000)
      }
    }),
  },
  {
    name: 'drops the notes of an appointment',
    only: ['2.6', '8'],
    between: answering(booking, (body) => {
      body.appointment_notes = null
    }),
  },
  {
    name: 'accepts a booking without a key',
    only: ['4.8'],
    between: before(booking, ({ body }) => {
      body.booking_key ??= 'bk_confirm'
    }),
  },
  {
    name: 'returns local times instead of UTC',
    only: ['2.6'],
    between: answering(booking, (body) => {
      body.start_at &&= body.start_at.replace(/(?:Z|\+00:00)$/, '-07:00')
    }),
  },
  {
    name: 'returns an appointment that ends before it starts',
    only: ['3.1'],
    between: answering(booking, (body) => {
      const { start_at, end_at } = body
      Object.assign(body, { start_at: end_at, end_at: start_at })
    }),
  },
  {
    name: 'returns the latitude as a string',
    only: ['2.6'],
    between: answering(booking, ({ location }) => {
      location.lat = String(location.lat)
    }),
  },
  {
    name: 'returns an appointment without events',
    only: ['2.6'],
    between: answering(booking, (body) => {
      delete body.events
    }),
  },
  {
    name: 'returns a time zone by its abbreviation',
    only: ['2.6'],
    between: answering(booking, (body) => {
      body.iana_timezone = 'Pacific Time'
    }),
  },
  {
    name: 'returns the appointment of another order',
    only: ['2.6'],
    between: answering(booking, (body) => {
      body.order_id = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
    }),
  },
  {
    name: 'books orders whose ids are not UUIDs',
    only: ['4.8'],
    between: rejecting(/not-a-uuid.*book$/, () => true, 200),
  },
  // Orders
  {
    name: 'has no requisition forms',
    only: ['4.12'],
    between: rejecting(/requisition\/pdf$/, () => true, 404),
  },
  {
    name: 'returns results without a result_type',
    only: ['9'],
    setup: (setup) => ({
      ...setup,
      completedOrder: async () => {
        const completed: Json = await setup.completedOrder?.()
        return { results: completed.results.map(({ value, result }: Json) => ({ value, result })) }
      },
    }),
  },
  {
    name: 'rejects the deprecated lab_test_id',
    only: ['9'],
    between: rejecting(order, ({ body }) => body.lab_test_id !== undefined),
  },
  {
    name: 'ignores the order_set',
    only: ['4.12'],
    between: before(order, ({ body }) => {
      delete body.order_set
    }),
  },
  {
    name: 'never lets signed URLs expire',
    only: ['8'],
    between: after(/^GET \/requisitions\//, ({ status }) => (status >= 400 ? { status: 200 } : {})),
  },
  {
    name: 'omits requisition_form_url',
    only: ['8'],
    between: answering(order, (body) => {
      delete body.order.requisition_form_url
    }),
  },
  // Aggregate queries
  {
    name: 'returns columns of unequal length',
    only: ['4.11'],
    between: answering(aggregate, ({ results }) => {
      for (const { table } of results) table.index.pop()
    }),
  },
  {
    name: 'returns results in the reverse order',
    only: ['4.11'],
    between: answering(aggregate, (body) => {
      body.results.reverse()
    }),
  },
  {
    name: 'returns tables without an index',
    only: ['4.11'],
    between: answering(aggregate, ({ results }) => {
      for (const { table } of results) delete table.index
    }),
  },
  {
    name: 'confuses min and max',
    only: ['4.11'],
    between: answering(aggregate, ({ results }) => {
      for (const { table } of results) {
        if (table.min && table.max) [table.min, table.max] = [table.max, table.min]
      }
    }),
  },
  {
    name: 'accepts queries for users whose ids are not UUIDs',
    only: ['4.11'],
    between: rejecting(/not-a-uuid\/query$/, () => true, 200),
  },
  {
    name: 'ignores where',
    only: ['4.11'],
    between: before(aggregate, ({ body }) => {
      for (const query of body.queries ?? []) delete query.where
    }),
  },
  {
    name: 'ignores group_by',
    only: ['4.11'],
    between: answering(aggregate, ({ results }) => {
      for (const { table } of results) {
        table.index = table.index.map(() => table.index[0])
      }
    }),
  },
  {
    name: 'accepts the 30th of February for an anchor',
    only: ['2.10'],
    between: before(aggregate, ({ body }) => {
      if (body.timeframe?.anchor === '2025-02-30') body.timeframe.anchor = '2025-02-28'
    }),
  },
  {
    name: 'uses a timeframe that is ten times as long',
    only: ['2.10'],
    between: before(aggregate, ({ body }) => {
      if (body.timeframe?.past?.value > 0) body.timeframe.past.value *= 10
    }),
  },
  {
    name: 'accepts a timeframe of no days',
    only: ['2.10'],
    between: before(aggregate, ({ body }) => {
      if (body.timeframe?.past?.value === 0) body.timeframe.past = aDay
    }),
  },
  {
    name: 'accepts groups of half a day',
    only: ['2.10'],
    between: before(aggregate, ({ body }) => {
      for (const { date_trunc } of body.queries?.[0]?.group_by ?? []) {
        if (date_trunc.value === 1.5) date_trunc.value = 2
      }
    }),
  },
  {
    name: 'rejects the unit minute',
    only: ['2.10'],
    between: rejecting(aggregate, ({ body }) => body.timeframe?.past?.unit === 'minute'),
  },
  {
    name: 'accepts a request without queries',
    only: ['4.11'],
    between: before(aggregate, ({ body }) => {
      body.queries ??= []
    }),
  },
  {
    name: 'requires a config',
    only: ['4.11'],
    between: rejecting(aggregate, ({ body }) => body.config === undefined),
  },
  {
    name: 'rejects the media type */*',
    only: ['4.11'],
    between: rejecting(aggregate, ({ headers }) => headers.get('accept') === '*/*', 406),
  },
  {
    name: 'returns JSON when Parquet is requested',
    only: ['4.11'],
    between: before(aggregate, ({ headers }) => headers.delete('accept')),
  },
  // Summaries
  {
    name: 'returns summaries without the provider of their source',
    only: ['4.12'],
    between: answering(summaries, (body) => {
      const list = Object.values<Json>(body).find(Array.isArray) ?? []
      for (const { source } of list) delete source.provider
    }),
  },
  {
    name: 'returns the height of a profile as a string',
    only: ['2.9'],
    between: answering(profile, (body) => {
      body.height = `${body.height} cm`
    }),
  },
  {
    name: 'has no summaries of meals',
    only: ['4.12'],
    between: rejecting(/^GET \/v2\/summary\/meal\//, () => true, 404),
  },
  {
    name: 'omits the deprecated source fields before their removal',
    only: ['9'],
    options: { deprecatedFields: 'never' },
  },
  // Keys, bodies and versions
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
    between: rejecting('GET /v3/lab_tests', () => true, 410),
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
