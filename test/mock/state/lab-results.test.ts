import { describe, expect, it } from 'vitest'
import { createMock, MockError } from '../../../mock/index.ts'
import type { OrderResult } from '../../../src/index.ts'

type Team = ReturnType<ReturnType<typeof createMock>['team']>
type UserInput = Parameters<Team['users']['create']>[0]

/** Creates a team whose catalogue has a marker with these results. */
function teamWith(...names: string[]) {
  const team = createMock({ now: '2025-06-01T09:00:00Z' }).team()
  const known = team.catalogue.markers
    .list()
    .flatMap(({ expected_results }) => expected_results ?? [])
  const expected_results = names.map((name) => {
    const found = known.find((one) => one.name === name)
    if (!found) throw new Error(`no marker has ${name}`)
    return found
  })
  return { team, marker: team.catalogue.markers.create({ name: 'Some', expected_results }) }
}

/** Returns the results of an order of a new user by name. */
function resultsOf(names: string[], user: UserInput = {}): Record<string, OrderResult> {
  const { team, marker } = teamWith(...names)
  const { user_id } = team.users.create(user)
  const order_set = { lab_test_ids: null, add_on: { marker_ids: [marker.id] } }
  const { id } = team.orders.create({ user_id, order_set })
  return Object.fromEntries((team.orders.complete(id).results ?? []).map((one) => [one.name, one]))
}

/** Returns a result of many people. */
function valuesOf(name: string, user: (at: number) => UserInput, count = 60): number[] {
  const { team, marker } = teamWith(name)
  const order_set = { lab_test_ids: null, add_on: { marker_ids: [marker.id] } }
  return Array.from({ length: count }, (_, at) => {
    const { user_id } = team.users.create(user(at))
    const { id } = team.orders.create({ user_id, order_set })
    return Number(team.orders.complete(id).results?.[0]?.result)
  })
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('the results of an order', () => {
  it('are equal for one substance that is measured in two ways', () => {
    const names = ['C-Reactive Protein', 'High Sensitivity C-Reactive Protein']
    const seen = new Set<unknown>()
    for (let at = 0; at < 40; at += 1) {
      const [usual, sensitive] = Object.values(resultsOf(names, { user_id: userId(at) }))
      const { name: _, slug: __, ...result } = usual ?? {}
      expect(sensitive).toMatchObject(result)
      seen.add(result.result)
    }
    expect(seen.size).toBeGreaterThan(5)
  })

  it('are within the reference range for most people, and never critical', () => {
    const values = valuesOf('Potassium', () => ({}))
    expect(values.filter((value) => value >= 3.5 && value <= 5).length).toBeGreaterThan(50)
    expect(values.every((value) => value >= 2.8 && value <= 6.2)).toBe(true)
  })

  it('depend on the sex', () => {
    const info = (gender: string) => () => ({ info: { gender } })
    const [women, men] = ['female', 'male'].map((gender) =>
      mean(valuesOf('Total Testosterone', info(gender))),
    )
    expect(women).toBeLessThan(60)
    expect(men).toBeGreaterThan(400)
  })

  it('depend on the age', () => {
    const born = (date: string) => () => ({ born: date, info: { gender: 'female' } })
    expect(mean(valuesOf('Follicle Stimulating Hormone', born('1955-02-03')))).toBeGreaterThan(40)
    expect(mean(valuesOf('Follicle Stimulating Hormone', born('1990-02-03')))).toBeLessThan(12)
  })

  it('depend on the persona: type 1 diabetes raises hemoglobin A1c', () => {
    const of = (persona: string) => valuesOf('Hemoglobin A1c', () => ({ persona }), 12)
    const diabetic = of('type_1_diabetic')
    expect(Math.min(...diabetic)).toBeGreaterThan(5.8)
    expect(mean(diabetic)).toBeLessThan(8.5)
    expect(Math.max(...of('typical'))).toBeLessThan(5.8)
  })

  it('are coherent with each other', () => {
    const lipids = resultsOf([
      'Total Cholesterol',
      'HDL Cholesterol',
      'LDL Cholesterol',
      'VLDL Cholesterol',
      'Triglycerides',
    ])
    const value = (name: string) => Number(lipids[name]?.result)
    const sum = value('HDL Cholesterol') + value('LDL Cholesterol') + value('VLDL Cholesterol')
    expect(value('Total Cholesterol')).toBe(sum)
    expect(value('VLDL Cholesterol')).toBe(Math.round(value('Triglycerides') / 5))
  })

  it('are alike for two orders of a user, and equal for the same order and seed', () => {
    const names = ['HDL Cholesterol']
    expect(resultsOf(names)).toEqual(resultsOf(names))
    const { team, marker } = teamWith(...names)
    const { user_id } = team.users.create()
    const order_set = { lab_test_ids: null, add_on: { marker_ids: [marker.id] } }
    const values = Array.from({ length: 8 }, () => {
      const { id } = team.orders.create({ user_id, order_set })
      return Number(team.orders.complete(id).results?.[0]?.result)
    })
    expect(new Set(values).size).toBeGreaterThan(1)
    expect(Math.max(...values) - Math.min(...values)).toBeLessThan(30)
  })

  it('are words or ranges where labs measure no number', () => {
    const { 'Hepatitis C Antibody': words, 'Hemoglobin A1c': number } = resultsOf([
      'Hepatitis C Antibody',
      'Hemoglobin A1c',
    ])
    expect(words).toMatchObject({ result: 'Non-Reactive', result_type: 'comment', unit: null })
    expect(number).toMatchObject({ result_type: 'numeric', unit: '%' })
    expect(number?.result).toMatch(/^\d+[.]\d$/)
    const factors = Array.from({ length: 12 }, (_, at) =>
      resultsOf(['Rheumatoid Factor'], { user_id: userId(at) }),
    )
    const formats = factors.map(
      ({ 'Rheumatoid Factor': one }) => `${one?.result_type} ${one?.result}`,
    )
    expect(formats.some((format) => format === 'range <10')).toBe(true)
    expect(formats.some((format) => /^numeric \d+$/.test(format))).toBe(true)
  })
})

describe('critical results', () => {
  it('exist on request, and send an event', () => {
    const { team, marker } = teamWith('Sodium', 'Ferritin')
    const order_set = { lab_test_ids: null, add_on: { marker_ids: [marker.id] } }
    const { id, user_id } = team.orders.create({ order_set })
    const [sodium] = team.orders.complete(id, { critical: true }).results ?? []
    const value = Number(sodium?.result)
    expect(value < 120 || value > 160).toBe(true)
    const { body } = team.events.list('labtest.result.critical')[0] ?? {}
    expect(body).toMatchObject({ user_id, data: { order_id: id, results: [sodium] } })
  })

  it.each([true, false])(
    'count white blood cells whose kinds sum to all of them (critical: %s)',
    (critical) => {
      const names = ['Neutrophils', 'Lymphocytes', 'Monocytes', 'Eosinophils', 'Basophils']
      const kinds = names.map((name) => `Absolute ${name}`)
      const { team, marker } = teamWith('White Blood Cell Count', ...kinds)
      const order_set = { lab_test_ids: null, add_on: { marker_ids: [marker.id] } }
      for (let at = 0; at < 60; at += 1) {
        const { id } = team.orders.create({ order_set })
        const results = team.orders.complete(id, { critical }).results ?? []
        const [all = 0, ...parts] = results.map(({ result }) => Number(result))
        expect(all < 2 || all > 37).toBe(critical)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(all, 6)
        expect(parts[0]).toBeGreaterThan(all * 0.2)
      }
    },
  )

  it('send no event without them', () => {
    const { team, marker } = teamWith('Sodium')
    const order_set = { lab_test_ids: null, add_on: { marker_ids: [marker.id] } }
    team.orders.complete(team.orders.create({ order_set }).id)
    expect(team.events.list('labtest.result.critical')).toEqual([])
  })

  it('throw an error when no marker has critical limits, and change nothing', () => {
    const { team, marker } = teamWith('Ferritin')
    const order_set = { lab_test_ids: null, add_on: { marker_ids: [marker.id] } }
    const { id } = team.orders.create({ order_set })
    const complete = () => team.orders.complete(id, { critical: true })
    expect(complete).toThrow(MockError)
    expect(complete).toThrow('none of its markers has critical limits')
    expect(team.orders.get(id)?.status).toBe('received')
  })
})

it('takes the patient of an order from the user', () => {
  const team = createMock().team()
  const { user_id, info } = team.users.create({ info: { first_name: 'Jane' } })
  const { patient_details } = team.orders.create({ user_id })
  expect(patient_details).toMatchObject({
    first_name: 'Jane',
    dob: info?.dob,
    gender: info?.gender,
  })
})

function userId(at: number): string {
  return `3f2b6f6e-0000-4000-8000-0000000000${String(at).padStart(2, '0')}`
}
