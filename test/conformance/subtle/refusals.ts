import type { Setup } from '../../../src/conformance/index.ts'
import type { Json, Mutant } from '../mutant.ts'
import { booking, deletion, imports, info, insurance, token } from '../mutants/targets.ts'

type Lines = string | RegExp

const header = 'x-service-api-key'

function lineOf(input: Request | string | URL, { method = 'GET' }: RequestInit): string {
  return `${method} ${new URL(String(input)).pathname}`
}

const matches = (lines: Lines, line: string) =>
  typeof lines === 'string' ? lines === line : lines.test(line)

/** Refuses a request, and lets what `repair` makes of it take effect. */
function despite(
  name: string,
  facts: Pick<Mutant, 'rule' | 'only'>,
  lines: Lines,
  repair: (sent: {
    key: string | null
    apiKey: string
    body: string
  }) => { body: string } | undefined,
): Mutant {
  return {
    ...facts,
    name,
    between:
      (fetch, apiKey) =>
      async (input, init = {}) => {
        const response = await fetch(input, init)
        if (response.status < 400 || !matches(lines, lineOf(input, init))) return response
        const headers = new Headers(init.headers)
        const sent = { key: headers.get(header), apiKey, body: String(init.body ?? '') }
        const repaired = repair(sent)
        if (!repaired) return response
        headers.set(header, sent.key && response.status !== 401 ? sent.key : apiKey)
        await fetch(input, {
          ...init,
          headers,
          ...(init.body === undefined ? {} : { body: repaired.body }),
        })
        return response
      },
  }
}

const operations = [
  ['an update of user info', info],
  ['an insurance', insurance],
  ['an import', imports],
  ['a booking', booking],
  ['the deletion of a connection', deletion],
] as const

const keys = operations.flatMap(([what, lines]): Mutant[] => {
  const facts = { rule: '5/header', only: ['5'] }
  return [
    despite(`refuses ${what} without a key, and does it`, facts, lines, ({ key, body }) =>
      key === null ? { body } : undefined,
    ),
    despite(`refuses ${what} with an empty key, and does it`, facts, lines, ({ key, body }) =>
      key === '' ? { body } : undefined,
    ),
    despite(
      `refuses ${what} with a wrong key, and does it`,
      facts,
      lines,
      ({ key, body, apiKey }) => (key && key !== apiKey ? { body } : undefined),
    ),
  ]
})

/** Refuses malformed JSON, and does what a lenient parser finds in it. */
const malformed = [
  ['an update of user info', info],
  ['an insurance', insurance],
  ['an import', imports],
] as const
const lenient = malformed.flatMap(([what, lines]): Mutant[] => {
  const facts = { rule: '4/json', only: ['4'] }
  return [
    despite(`refuses truncated JSON of ${what}, and completes it`, facts, lines, ({ body }) =>
      body.endsWith('}}') || body.endsWith(']') || /[^}]$/.test(body) || !isJson(body)
        ? { body: `${body}}` }
        : undefined,
    ),
    despite(`refuses text after the JSON of ${what}, and ignores it`, facts, lines, ({ body }) => ({
      body: body.slice(0, -1),
    })),
  ]
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Refuses an invalid body, and uses the valid fields of it. */
function partly(name: string, rule: string, lines: Lines, mend: (body: Json) => Json): Mutant {
  return despite(
    name,
    { rule, only: [rule.slice(0, rule.indexOf('/')), '2.1', '2.2', '2.4', '4.1', '4.2', '4.3'] },
    lines,
    ({ body }) => {
      try {
        return { body: JSON.stringify(mend(JSON.parse(body))) }
      } catch {
        return undefined
      }
    },
  )
}

const onlyStrings = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(onlyStrings)
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== null)
          .map(([name, inner]) => [name, onlyStrings(inner)]),
      )
    : value
}

const partial: Mutant[] = [
  partly(
    'refuses an insurance with a number for a text, and converts it',
    '2.2/fields',
    insurance,
    (body) => ({ ...body, member_id: String(body.member_id) }),
  ),
  partly(
    'refuses an insurance with a wrong guarantor, and stores it without',
    '2.2/guarantor',
    insurance,
    ({ guarantor: _, ...body }) => body,
  ),
  partly(
    'refuses an insurance with a wrong is_primary, and stores the default',
    '2.2/is-primary',
    insurance,
    ({ is_primary: _, ...body }) => body,
  ),
  partly(
    'refuses user info with a wrong medical proxy, and stores it without',
    '2.1/medical-proxy',
    info,
    ({ medical_proxy: _, ...body }) => body,
  ),
  partly(
    'refuses user info with a wrong race, and stores it without',
    '2.1/optional',
    info,
    ({ race: _, ...body }) => body,
  ),
  partly('refuses user info with null, and stores the rest', '2.1/fields', info, (body) => ({
    dob: '1980-01-02',
    ...onlyStrings(body),
  })),
  partly(
    'refuses an import with wrong scopes, and imports without them',
    '2.4/fields',
    imports,
    (body) => ({
      ...body,
      connections: body.connections.map(({ oauth_scopes: _, ...one }: Json) => one),
    }),
  ),
  partly(
    'refuses an import with a wrong wait_for_completion, and imports',
    '4.3/body',
    imports,
    (body) => ({ ...body, wait_for_completion: true }),
  ),
  partly(
    'refuses an import with a wrong user, and imports the others',
    '2.4/fields',
    imports,
    (body) => ({ ...body, connections: body.connections.slice(0, 1) }),
  ),
]

type Reader = 'userInfo' | 'insurances' | 'connections'

/** Changes another record of the user when a call succeeds, or when it is refused. */
function spoils(
  name: string,
  rule: string,
  lines: Lines,
  reader: Reader,
  change: (value: Json) => Json,
  when: 'done' | 'refused' = 'done',
): Mutant {
  const touched = new Set<string>()
  const wrap = (setup: Setup): Setup => ({
    ...setup,
    [reader]: async (user: string) => {
      const value: Json = await setup[reader]?.(user)
      return touched.has(user) ? change(structuredClone(value)) : value
    },
    team: async (like) => {
      const other = await setup.team?.(like)
      if (!other) throw new Error('The setup of the mock offers teams.')
      return { ...other, setup: wrap(other.setup) }
    },
  })
  return {
    rule,
    name,
    only: [
      rule.slice(0, rule.indexOf('/')),
      '4.1',
      '4.2',
      '4.3',
      '4.7',
      '4.10',
      '5',
      '2.1',
      '2.2',
      '2.4',
    ],
    setup: (setup) => {
      touched.clear()
      return wrap(setup)
    },
    between:
      (fetch) =>
      async (input, init = {}) => {
        const response = await fetch(input, init)
        if (matches(lines, lineOf(input, init)) && response.ok === (when === 'done')) {
          touched.add(new URL(String(input)).pathname.split('/')[3] ?? '')
          try {
            for (const { user_id } of JSON.parse(String(init.body)).connections)
              touched.add(user_id)
          } catch {
            // Not an import.
          }
        }
        return response
      },
  }
}

const otherPhone = (record: Json) => record && { ...record, phone_number: '+10000000000' }
const none = () => []
const secondary = (list: Json[]) => list.map((one) => ({ ...one, is_primary: !one.is_primary }))

const others: Mutant[] = [
  spoils(
    'deletes the insurances of a user with an update of the info',
    '4.2/body',
    info,
    'insurances',
    none,
  ),
  spoils(
    'changes the insurances of a user with an update of the info',
    '4.2/body',
    info,
    'insurances',
    secondary,
  ),
  spoils(
    'deletes the connections of a user with an update of the info',
    '4.2/body',
    info,
    'connections',
    none,
  ),
  spoils(
    'changes the info of a user with an insurance',
    '4.1/body',
    insurance,
    'userInfo',
    otherPhone,
  ),
  spoils(
    'deletes the info of a user with an insurance',
    '4.1/body',
    insurance,
    'userInfo',
    () => null,
  ),
  spoils(
    'deletes the connections of a user with an insurance',
    '4.1/body',
    insurance,
    'connections',
    none,
  ),
  spoils('deletes the info of an imported user', '4.3/body', imports, 'userInfo', () => null),
  spoils('deletes the insurances of an imported user', '4.3/body', imports, 'insurances', none),
  spoils('changes the info of a user with a token', '4.7/response', token, 'userInfo', otherPhone),
  spoils(
    'deletes the insurances of a user with a deleted connection',
    '4.10/path',
    deletion,
    'insurances',
    none,
  ),
  spoils(
    'deletes the info of a user with a deleted connection',
    '4.10/path',
    deletion,
    'userInfo',
    () => null,
  ),
  spoils(
    'deletes the connections of a user after a refusal',
    '4.2/body',
    info,
    'connections',
    none,
    'refused',
  ),
  spoils(
    'deletes the insurances of a user after a refusal',
    '4.2/body',
    info,
    'insurances',
    none,
    'refused',
  ),
  spoils(
    'deletes the info of a user after a refused insurance',
    '4.1/body',
    insurance,
    'userInfo',
    () => null,
    'refused',
  ),
  spoils(
    'deletes the connections of a user after a refused insurance',
    '4.1/body',
    insurance,
    'connections',
    none,
    'refused',
  ),
]

/** Requests that are refused and take effect, and calls that touch other records. */
export const refusals: Mutant[] = [...keys, ...lenient, ...partial, ...others]
