import type { LivingPerson } from '../../../mock/living/person/life.ts'
import { personaNames, personas } from '../../../mock/living/person/personas.ts'
import { Random } from '../../../mock/reference-data/random.ts'
import { fc } from '../../support/properties.ts'

const day = 24 * 60 * 60 * 1000

/** Returns the days since 1970-01-01 of a date such as `2025-03-30`. */
export function dateOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / day
}

/** Zones with changes of the clock at many hours, also at midnight and by half an hour, and at both ends of the date. */
const zones = [
  'UTC',
  '+05:45',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Tokyo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

/** Returns a person. Default: a man of 40 years in Berlin who is like most people. */
export function personOf(person: Partial<LivingPerson> = {}): LivingPerson {
  return {
    random: new Random('person'),
    persona: personas.typical,
    sex: 'male',
    born: dateOf('1985-05-04'),
    zone: 'Europe/Berlin',
    ...person,
  }
}

/** Dates from 2023 to 2027. */
const anyDate = fc.integer({ min: dateOf('2023-01-01'), max: dateOf('2027-12-31') })

/** Days on which the clocks of some of the zones change. */
const clockChanges = [
  '2024-03-31',
  '2024-04-26',
  '2025-04-05',
  '2025-04-06',
  '2025-09-07',
  '2025-10-05',
  '2025-11-02',
].map(dateOf)

/**
 * Returns the number of dates to check of each person. Set LIFE_DATES=60 and LIFE_PEOPLE=200 for the full check; by
 * default, smaller numbers bound the time.
 */
export function datesToCheck(byDefault: number): number {
  return Number(process.env['LIFE_DATES'] ?? byDefault)
}

const datesPerPerson = datesToCheck(12)

/** People of any age who travel often, and dates, some of them days on which clocks change. */
export const peopleAndDates = fc.record({
  person: fc
    .record({
      seed: fc.integer(),
      name: fc.constantFrom(...personaNames),
      sex: fc.constantFrom('female', 'male'),
      age: fc.integer({ min: 0, max: 95 }),
      zone: fc.constantFrom(...zones),
    })
    .map(({ seed, name, sex, age, zone }) =>
      personOf({
        random: new Random(seed),
        persona: { ...personas[name], trips: 0.8 },
        sex,
        born: dateOf('2023-01-01') - Math.round(age * 365.25),
        zone,
      }),
    ),
  dates: fc.array(fc.oneof(anyDate, fc.constantFrom(...clockChanges)), {
    minLength: datesPerPerson,
    maxLength: datesPerPerson,
  }),
})

/** The number of people, and a seed that makes runs equal. */
export const runs = { numRuns: 200, seed: 20_250_601 }
