import {
  after,
  before,
  changeResponses,
  type Json,
  type Mutant,
  rejectCalls,
  sending,
  sendingAll,
} from '../mutant.ts'
import {
  aggregate,
  appointment,
  booking,
  imports,
  info,
  insurance,
  markers,
  orderSet,
  pages,
  providers,
  testMarkers,
  token,
} from '../mutants/targets.ts'

type Between = NonNullable<Mutant['between']>

/** A legal variation, with the sections of the cases that see it. */
function legal(name: string, only: string, facts: Between | Omit<Mutant, 'name' | 'only'>): Mutant {
  return {
    name,
    only: only.split(' '),
    ...(typeof facts === 'function' ? { between: facts } : facts),
  }
}

const people = '2.1 2.2 4.1 4.2'
const imported = '2.4 4.3 7 6'
const booked = '2.6 3.1 4.8 8'
const catalogue = '2.5 4.4 4.5 4.6'
const tables = '2.10 4.11'

const upperIds = (value: Json): Json =>
  JSON.parse(
    JSON.stringify(value).replace(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, (id) => id.toUpperCase()),
  )
const authTypes = (type: (one: Json) => unknown) =>
  changeResponses(providers, (list) => {
    for (const one of list) one.auth_type = type(one)
  })

/** A service that takes 200 ms for each connection, and imports in the order of submission. */
const slow = (importTimePerConnection: number) => ({ options: { importTimePerConnection } })

const renamed = (lines: string | RegExp, ...names: string[]) =>
  before(lines, ({ url }) => {
    for (const name of names) url.searchParams.delete(name)
  })

const refusing = (lines: string | RegExp, test: (text: string) => boolean, ...fields: string[]) =>
  rejectCalls(lines, ({ body }) =>
    fields.some((field) => {
      const value = field.split('.').reduce((inner: Json, name) => inner?.[name], body)
      return typeof value === 'string' && test(value)
    }),
  )

const hasOther = (text: string) => /[^ -~]/.test(text)
const isEdged = (text: string) => text !== text.trim()

/** Users who have data and connections before the cases. */
function living(slugs: readonly string[]): Omit<Mutant, 'name' | 'only'> {
  return {
    setup: (setup) => ({
      ...setup,
      user: async () => {
        const user = (await setup.user?.()) ?? ''
        for (const slug of slugs) await setup.connect?.(user, slug)
        await setup.addHealthData?.(user, [
          {
            resource: 'sleep',
            values: {
              session_start: '2025-05-12T23:00:00',
              session_end: '2025-05-13T07:00:00',
              duration_second: 25_000,
            },
          },
          { resource: 'profile', values: { height_centimeter: 166.6 } },
        ])
        return user
      },
    }),
  }
}

const restricted = (name: string, only: string, lines: string | RegExp, ...fields: string[]) => [
  legal(`rejects letters beyond ASCII in ${name}`, only, refusing(lines, hasOther, ...fields)),
  legal(`rejects spaces at the ends of ${name}`, only, refusing(lines, isEdged, ...fields)),
]

/** Further legal variations: no case may find them. */
export const variations: Mutant[] = [
  ...[50, 199, 200, 250, 400, 1000].map((time) =>
    legal(`takes ${time} ms for each connection of an import`, imported, slow(time)),
  ),
  legal(
    'responds 202 to imports of more than 99 connections',
    imported,
    after(imports, ({ status, body }, call) =>
      call.body.connections?.length > 99 && status === 200
        ? { status: 202, body: { ...body, user_ids_imported: [], user_ids_failed: [] } }
        : undefined,
    ),
  ),
  legal(
    'has new values of auth_type only',
    '2.7 4.9',
    authTypes(({ slug }) => `passkey_${slug.length % 3}`),
  ),
  legal(
    'has one new value of auth_type for all providers',
    '2.7 4.9',
    authTypes(() => 'device_code'),
  ),
  legal(
    'has auth_type null for all providers',
    '2.7 4.9',
    authTypes(() => null),
  ),
  legal(
    'has new and listed values of auth_type',
    '2.7 4.9',
    authTypes((one) => (one.slug.length % 2 === 0 ? 'magic_link' : one.auth_type)),
  ),
  legal('names the filter of markers otherwise', catalogue, renamed(markers, 'name')),
  legal(
    'names the lab account of markers otherwise',
    catalogue,
    renamed(markers, 'lab_account_id'),
  ),
  legal(
    'names the filter and the lab account of markers otherwise',
    catalogue,
    renamed(markers, 'name', 'lab_account_id'),
  ),
  legal('names the page of all markers otherwise', catalogue, renamed(markers, 'page', 'size')),
  legal('names the page of order sets otherwise', catalogue, renamed(orderSet, 'page', 'size')),
  legal(
    'names the page of all lists without a table otherwise',
    '4.4 4.6 8',
    renamed(/^GET \/v3\/lab_tests\/markers$|order_set_markers$/, 'page', 'size'),
  ),
  legal(
    'names the columns of sleep otherwise',
    tables,
    rejectCalls(aggregate, ({ body }) => /duration_second|score/.test(JSON.stringify(body))),
  ),
  legal(
    'has no unit day',
    tables,
    rejectCalls(aggregate, ({ body }) => /"unit":"day"/.test(JSON.stringify(body))),
  ),
  legal(
    'has no column skin_temperature_delta',
    tables,
    rejectCalls(aggregate, ({ body }) => /skin_temperature_delta/.test(JSON.stringify(body))),
  ),
  legal(
    'has another grammar of where',
    tables,
    rejectCalls(aggregate, ({ body }) => /"where":"/.test(JSON.stringify(body))),
  ),
  legal(
    'has no units above the day',
    tables,
    rejectCalls(aggregate, ({ body }) =>
      /"unit":"(?:week|month|year)"/.test(JSON.stringify(body.queries)),
    ),
  ),
  ...restricted(
    'addresses of users',
    people,
    info,
    'address.first_line',
    'address.second_line',
    'address.city',
  ),
  ...restricted('gender', people, info, 'gender'),
  ...restricted('member ids', people, insurance, 'member_id', 'group_id'),
  ...restricted(
    'addresses of the insured',
    people,
    insurance,
    'insured.address.first_line',
    'insured.address.second_line',
    'insured.address.city',
    'insured.address.access_notes',
  ),
  legal(
    'accepts telephone numbers in international form only',
    people,
    refusing(
      /./,
      (text) => !/^\+\d{8,15}$/.test(text),
      'phone_number',
      'insured.phone_number',
      'guarantor.phone_number',
      'medical_proxy.phone_number',
    ),
  ),
  legal(
    'accepts zip codes of five digits only',
    people,
    refusing(
      /./,
      (text) => text.length !== 5,
      'address.zip_code',
      'insured.address.zip',
      'guarantor.address.zip',
      'medical_proxy.address.zip',
    ),
  ),
  legal(
    'rejects names with apostrophes in insurances',
    people,
    refusing(insurance, (text) => text.includes("'"), 'insured.first_name', 'guarantor.first_name'),
  ),
  legal(
    'rejects negative incomes',
    people,
    rejectCalls(
      /./,
      ({ body }) =>
        body.guarantor?.household_income < 0 || body.medical_proxy?.household_income < 0,
    ),
  ),
  legal(
    'rejects incomes above a million',
    people,
    rejectCalls(
      /./,
      ({ body }) =>
        body.guarantor?.household_income > 1_000_000 ||
        body.medical_proxy?.household_income > 1_000_000,
    ),
  ),
  legal(
    'rejects unlisted payor codes',
    '4.1',
    rejectCalls(insurance, ({ body }) =>
      /fed|^\W|\W$|_|-|[A-Za-z]\d$|[^ -~]/.test(body.payor_code),
    ),
  ),
  legal(
    'rejects payor codes that resemble the federal ones',
    '4.1',
    rejectCalls(
      insurance,
      ({ body }) =>
        /fed|med|maid/i.test(body.payor_code) && !/^(?:MEDFED|MAIDFED)$/.test(body.payor_code),
    ),
  ),
  legal(
    'rejects provider_ids beyond ASCII',
    '2.4 4.3',
    rejectCalls(imports, ({ body }) =>
      body.connections.some((one: Json) => hasOther(one.provider_id)),
    ),
  ),
  legal(
    'returns ids of appointments in upper case',
    booked,
    changeResponses(booking, (body) =>
      Object.assign(
        body,
        upperIds({ id: body.id, user_id: body.user_id, order_id: body.order_id }),
      ),
    ),
  ),
  legal(
    'returns ids of imports in upper case',
    imported,
    changeResponses(imports, (body) => Object.assign(body, upperIds(body))),
  ),
  legal(
    'returns ids of lab tests and orders in upper case',
    '4.12 4.4 4.6 9',
    changeResponses(/^(?:GET \/v3\/lab_tests?|POST \/v3\/order)$/, (body) =>
      Object.assign(body, upperIds(body)),
    ),
  ),
  legal(
    'returns the id of a token in upper case',
    '4.7',
    changeResponses(token, (body) => Object.assign(body, upperIds({ user_id: body.user_id }))),
  ),
  legal(
    'returns markers without units',
    catalogue,
    changeResponses(pages, ({ markers: list }) => {
      for (const one of list) one.unit = null
    }),
  ),
  legal(
    'returns LOINC entries without units',
    catalogue,
    changeResponses(pages, ({ markers: list }) => {
      for (const one of list) for (const { loinc } of one.expected_results) loinc.unit = null
    }),
  ),
  legal(
    'returns markers of a new type',
    catalogue,
    changeResponses(pages, ({ markers: list }) => {
      for (const one of list) one.type = 'genome'
    }),
  ),
  legal(
    'returns markers with what results require',
    catalogue,
    changeResponses(pages, ({ markers: list }) => {
      for (const one of list) for (const result of one.expected_results) result.required = false
    }),
  ),
  legal('completes confirmed appointments after two days', '3.1 2.6', {
    ...completing(2880 * 60_000),
  }),
  legal('completes confirmed appointments after a day', '3.1 2.6', {
    ...completing(1440 * 60_000),
  }),
  legal(
    'cancels appointments with a reason in event_data',
    booked,
    changeResponses(appointment, (body) => {
      body.event_data = { reason: 'none' }
    }),
  ),
  legal(
    'returns the aggregates of a row in the order of their names',
    tables,
    changeResponses(aggregate, ({ results }) => {
      for (const result of results)
        result.table = Object.fromEntries(Object.entries(result.table).toSorted())
    }),
  ),
  legal(
    'returns aggregates with the error of 64-bit numbers',
    tables,
    changeResponses(aggregate, ({ results }) => {
      for (const { table } of results)
        for (const [name, list] of Object.entries<Json[]>(table))
          if (name !== 'index')
            table[name] = list.map((cell) => (typeof cell === 'number' ? cell * (1 + 1e-12) : cell))
    }),
  ),
  legal(
    'has users with data and a connection',
    `${imported} 4.10 2.9 4.12 ${tables} ${people}`,
    living(['withings']),
  ),
  legal(
    'has users with data and several connections',
    `${imported} 4.10 6 2.9`,
    living(['withings', 'strava', 'polar']),
  ),
  legal('has users who all live', '2 3 4 5 6 7 8 9', { assumes: true, options: { living: true } }),
  legal(
    'has users of whom some are connected to the providers of the cases',
    '4.10 6',
    someLiving(),
  ),
  legal('sends new data of other users', '6', {
    setup: sendingAll((events) => events.flatMap((event) => [event, otherData()])),
  }),
  legal('sends events with more fields of the source', '6', {
    setup: sending((event) => {
      if (event.data?.source) event.data.source.device_id = null
      return [event]
    }),
  }),
  legal('sends the extended envelope', '6', { options: { eventEnvelope: 'extended' } }),
  legal('has insurances for users with information only', '2.2', {
    options: { strictInsurance: false },
  }),
  legal('has no idempotency keys', '4.12', { options: { idempotencyKeys: false } }),
  legal(
    'has another name of confirmed providers',
    booked,
    changeResponses(/\/phlebotomy\/appointment/, (body) => {
      body.provider = 'new_company'
    }),
  ),
  legal(
    'returns an empty body with 404',
    '4.10 4.8',
    after(/./, ({ status }) => (status === 404 ? { status, body: null } : undefined)),
  ),
  legal(
    'lists the markers of a test in another order',
    '4.5',
    changeResponses(testMarkers, ({ markers: list }) => list.reverse()),
  ),
  legal(
    'returns further headers',
    '4 5',
    after(/./, ({ headers }) => {
      headers.set('x-further', 'yes')
      return undefined
    }),
  ),
]

/** Completes an appointment when enough time has passed since it was first read as confirmed. */
function completing(after_: number): Omit<Mutant, 'name' | 'only'> {
  let now = 0
  const confirmed = new Map<string, number>()
  return {
    between: changeResponses(appointment, (body, { url }) => {
      if (body.status !== 'confirmed') return
      const since = confirmed.get(url.pathname) ?? now
      confirmed.set(url.pathname, since)
      if (now - since >= after_) body.status = 'completed'
    }),
    setup: (setup) => ({
      ...setup,
      advance: async (milliseconds) => {
        await setup.advance?.(milliseconds)
        now += milliseconds
      },
    }),
  }
}

/** Every second user has a connection that cases make. */
function someLiving(): Omit<Mutant, 'name' | 'only'> {
  return {
    setup: (setup) => {
      let count = 0
      return {
        ...setup,
        user: async () => {
          const user = (await setup.user?.()) ?? ''
          count += 1
          if (count % 2 === 1) await setup.connect?.(user, 'oura')
          return user
        },
      }
    },
  }
}

function otherData() {
  const source = { provider: 'withings', type: 'scale', app_id: null }
  const user_id = '0f6a2f5e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
  return { event_type: 'daily.data.weight.created', user_id, data: { data: [], source } }
}
