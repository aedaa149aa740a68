import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { type CertifyOptions, certify } from '../../src/certify/index.ts'
import { type Json, Receiver } from './receiver.ts'

/** Users of the seed. No night of the first two days of the second one is corrected. */
const users = ['6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55', '0b785c25-befe-40a7-be79-a26dba52b781']

/** Judges a receiver by the truth of a team. */
function judge(receiver: Receiver, options: Partial<CertifyOptions> = { only: ['truth'] }) {
  const team = createMock({ living: true, seed: 7 }).team()
  return certify({ ...receiver.options(), timeout: 2_000, team, ...options })
}

it('passes a receiver that stores the newest version of each record', async () => {
  const { results } = await judge(new Receiver())
  expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['truth/in-order', 'passed'],
    ['truth/disturbed', 'passed'],
    ['truth/east', 'passed'],
    ['truth/west', 'passed'],
  ])
})

it('ignores the letter case of ids', async () => {
  const receiver = new Receiver()
  const stored = receiver.stored.bind(receiver)
  receiver.stored = () => stored().map((row) => ({ ...row, id: row.id.toUpperCase() }))
  const { passed } = await judge(receiver, { only: ['truth/in-order'] })
  expect(passed).toBe(1)
})

it.each([
  { id: 'truth/east', zone: 'UTC', offset: 0 },
  { id: 'truth/west', zone: 'UTC', offset: 0 },
  { id: 'truth/east', zone: 'Honolulu', offset: -10 },
  { id: 'truth/west', zone: 'Auckland', offset: 12 },
])('fails a receiver that takes the day from $zone in $id', async ({ id, offset }) => {
  const receiver = new Receiver()
  const { storeNight } = receiver
  receiver.storeNight = (night) => {
    const time = Date.parse(night.bedtime_stop ?? night.updated_at) + offset * 3_600_000
    const calendar_date = new Date(time).toISOString().slice(0, 10)
    storeNight.call(receiver, 'calendar_date' in night ? { ...night, calendar_date } : night)
  }
  const { results } = await judge(receiver, { only: [id] })
  expect(results[0]?.reason).toMatch(/one \w+ row differs \(.*calendar_date.*\)/)
})

it('skips an existing user, whose time zone cannot be changed', async () => {
  const team = createMock({ living: true }).team()
  const { user_id: user } = team.users.create()
  const options = { ...new Receiver().options(), timeout: 2_000, team, user }
  const { results } = await certify({ ...options, only: ['truth/east'] })
  expect(results[0]?.reason).toBe(
    'the user option names an existing user, whose time zone cannot be changed; omit the option',
  )
})

/** Stores records of a table that may have several rows of one id. */
function storesRows(store: (rows: Json[], record: Json) => void): Receiver {
  const receiver = new Receiver()
  const rows: Json[] = []
  receiver.storeNight = (record) => store(rows, record)
  receiver.stored = () => rows
  return receiver
}

const place = (rows: Json[], { id }: Json) => rows.findIndex((row) => row.id === id)

describe('a receiver that stores records wrongly', () => {
  it.each<{ name: string; reason: RegExp; store: (rows: Json[], record: Json) => void }>([
    {
      name: 'appends every version',
      reason: /one \w+ row is stored twice/,
      store: (rows, record) => void rows.push(record),
    },
    {
      name: 'drops updates',
      reason: /one sleep row is outdated \(.*state.*\)/,
      store: (rows, record) => void (place(rows, record) < 0 && rows.push(record)),
    },
    {
      name: 'keeps the version that arrived last',
      reason: /one \w+ row is outdated/,
      store: (rows, record) => {
        const at = place(rows, record)
        rows.splice(at < 0 ? rows.length : at, 1, record)
      },
    },
    {
      name: 'stores only the first night of a day',
      reason: /one sleep row is missing/,
      store: (rows, record) => {
        const isKnown = rows.some(
          ({ id, calendar_date }) => calendar_date === record.calendar_date && id !== record.id,
        )
        const at = place(rows, record)
        if (at >= 0 && rows[at].updated_at <= record.updated_at) rows[at] = record
        else if (at < 0 && !isKnown) rows.push(record)
      },
    },
    {
      name: 'rounds values',
      reason: /one \w+ row differs \(\w+.*\)/,
      store: (rows, { efficiency, weight, distance, ...record }) => {
        const rounded = Object.entries({ efficiency, weight, distance })
          .filter(([, value]) => typeof value === 'number')
          .map(([name, value]) => [name, Math.floor(value)])
        const changed = { ...record, ...Object.fromEntries(rounded) }
        const at = place(rows, record)
        if (at < 0) rows.push(changed)
        else if (rows[at].updated_at <= record.updated_at) rows[at] = changed
      },
    },
  ])('fails: $name', async ({ store, reason }) => {
    for (const user of users) {
      const cases = ['truth/in-order', 'truth/disturbed']
      const reports = await Promise.all(
        cases.map((id) => judge(storesRows(store), { only: [id], user })),
      )
      const results = reports.flatMap((report) => report.results)
      const reasons = results.filter(({ outcome }) => outcome === 'failed').map((one) => one.reason)
      expect(reasons[0], user).toMatch(/^The stored rows differ from team\.truth: /)
      expect(reasons.join('\n'), user).toMatch(reason)
    }
  })
})

it('skips the comparison without a team, and with a team whose users do not live', async () => {
  const [one] = (await certify({ ...new Receiver().options(), only: ['truth/in-order'] })).results
  expect(one?.reason).toMatch(/^team is missing; pass createMock/)
  const team = createMock().team()
  const dead = await certify({ ...new Receiver().options(), team, only: ['truth/in-order'] })
  expect(dead.results[0]?.reason).toMatch(/^the team has no data events; create the team with/)
})

it('sends the events of one user again in each case', async () => {
  const team = createMock({ living: true }).team()
  const user = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
  const options = { ...new Receiver().options(), timeout: 2_000, team, user }
  const { failed, passed } = await certify({ ...options, only: ['truth'] })
  expect([failed, passed]).toEqual([0, 2])
})
