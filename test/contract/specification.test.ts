import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import {
  AggregationResult,
  Query,
  QueryConfig,
  RelativeTimeframe,
} from '../../src/contract/aggregate.ts'
import { Appointment, BookingInput, LngLat, USAddress } from '../../src/contract/appointments.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { Insurance, InsuranceInput } from '../../src/contract/insurance.ts'
import {
  BulkImportBody,
  BulkImportInput,
  ConnectionRecipe,
  Provider,
} from '../../src/contract/link.ts'
import {
  ExpectedResult,
  Loinc,
  Marker,
  MarkerPage,
  MarkerQuery,
  TestMarkerPage,
  TestMarkerQuery,
} from '../../src/contract/markers.ts'
import { GuarantorDetails, PersonDetails } from '../../src/contract/people.ts'
import { issuesOf } from '../../src/contract/schema-tools/check.ts'
import { findDrift } from '../../src/contract/schema-tools/drift.ts'
import { lenient } from '../../src/contract/schema-tools/schema.ts'
import { shapeOf } from '../../src/contract/schema-tools/walk.ts'
import { Source } from '../../src/contract/source.ts'
import { ProfileSummary } from '../../src/contract/summary-records/profile.ts'
import {
  SignInToken,
  UserAddress,
  UserAddressInput,
  UserInfo,
  UserInfoInput,
} from '../../src/contract/users.ts'
import {
  bulkImportWait,
  confirmationTimeouts,
  markerPageSize,
  notesLength,
} from '../../src/contract/values/bounds.ts'
import { deprecations, type ScheduledDeprecation } from '../../src/contract/values/deprecations.ts'
import {
  appointmentEventStatuses,
  appointmentStatuses,
  appointmentTypes,
  ethnicities,
  genderIdentities,
  insuranceRelationships,
  providerAuthTypes,
  races,
  sexualOrientations,
  summaryResources,
} from '../../src/contract/values/known-values.ts'
import { bulkImportProviders, connectionProviders } from '../../src/contract/values/providers.ts'
import { supportedResources } from '../../src/contract/values/resources.ts'
import {
  endpointLines,
  type Row,
  section,
  tables,
  tableWith,
  values,
  valuesAfter,
} from '../support/specification.ts'

function fieldsOf(schema: z.ZodMiniType): string[] {
  return Object.keys(shapeOf(schema))
}

/** The fields without which, and with null for which, a schema rejects a value. */
function insistence(schema: z.ZodMiniType, field: string): { absent: boolean; null: boolean } {
  const rejects = (value: Record<string, unknown>) =>
    issuesOf(schema, value).some(({ path }) => path === field)
  return { absent: rejects({}), null: rejects({ [field]: null }) }
}

const names = (rows: Row[]) => rows.map((row) => row['Field'] ?? '')

describe('fields', () => {
  it.each([
    ['2.1', 'user info sent', UserInfoInput, names(tableWith('2.1', 'first_name'))],
    ['2.1', 'returned user info', UserInfo, names(tableWith('2.1', 'first_name'))],
    ['2.2', 'returned insurance', Insurance, names(tableWith('2.2', 'payor_code'))],
    [
      '2.2',
      'insurance sent',
      InsuranceInput,
      names(tableWith('2.2', 'payor_code')).filter((name) => name !== 'company'),
    ],
    ['2.2', 'person', PersonDetails, names(tables('2.2')[1] ?? [])],
    ['2.2', 'guarantor', GuarantorDetails, names(tableWith('2.2', 'household_income'))],
    ['2.3', 'sign-in token', SignInToken, names(tableWith('2.3', 'user_id'))],
    ['2.4', 'connection recipe', ConnectionRecipe, names(tableWith('2.4', 'user_id'))],
    ['2.5', 'marker', Marker, names(tableWith('2.5', 'id'))],
    ['2.6', 'appointment', Appointment, names(tableWith('2.6', 'id'))],
    ['2.7', 'provider', Provider, names(tableWith('2.7', 'slug'))],
    ['2.8', 'source', Source, names(tableWith('2.8', 'provider'))],
    ['4.3', 'bulk import', BulkImportInput, names(tableWith('4.3', 'provider'))],
    ['4.8', 'booking', BookingInput, names(tableWith('4.8', 'booking_key'))],
  ])('%s: %s has the fields of its table', (_, __, schema, fields) => {
    expect(fields.length).toBeGreaterThan(0)
    expect(fieldsOf(schema).toSorted()).toEqual(fields.toSorted())
  })

  it.each([
    ['2.1', UserAddressInput, 'UserAddress has the fields'],
    ['2.1', UserAddress, 'UserAddress has the fields'],
    ['2.6', USAddress, 'fields: first_line'],
    ['2.6', LngLat, 'fields: lng'],
  ])('%s: all fields named in prose exist', (number, schema, phrase) => {
    const line =
      section(number)
        .split('\n')
        .find((text) => text.includes(phrase)) ?? ''
    const after = line.slice(line.indexOf(phrase)).split(/\. |\)\s*\|/)[0] ?? ''
    for (const field of fieldsOf(schema)) expect(after).toContain(field)
  })

  it('2.9: the profile has the fields of its sentence, and further assumed ones', () => {
    const [, sentence = ''] =
      /The profile summary has the fields (.*?)\./.exec(section('2.9')) ?? []
    const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(named).toHaveLength(5)
    expect(fieldsOf(ProfileSummary)).toEqual(expect.arrayContaining(named))
  })

  it.each([
    ['2.5', ExpectedResult, 'ExpectedResult: ', ['required']],
    ['2.5', Loinc, 'Loinc: ', []],
  ])('%s: the fields of a nested object match its sentence', (number, schema, phrase, assumed) => {
    const sentence = section(number).split(phrase)[1]?.split('.\n')[0] ?? ''
    const fields = [...sentence.matchAll(/`(\w+)`/g)].map(([, field = '']) => field)
    expect(fieldsOf(schema).toSorted()).toEqual([...fields, ...assumed].toSorted())
  })

  it('2.10: the aggregate objects have the fields of their tables', () => {
    const rows = Object.fromEntries(
      (tables('2.10')[0] ?? []).map((row) => [row['Object'], row['Fields'] ?? '']),
    )
    const schemas = { RelativeTimeframe, Query, QueryConfig, AggregationResult }
    for (const [name, schema] of Object.entries(schemas)) {
      for (const field of fieldsOf(schema)) expect(rows[name]).toContain(field)
    }
  })
})

describe('required and nullable', () => {
  const isRequired = (row: Row) => row['Required']?.startsWith('yes') ?? false
  const isNullable = (row: Row) => row['Type']?.includes('null') ?? false
  const rowsOf = (number: string, name: string) => tableWith(number, name)

  it.each([
    ...rowsOf('2.1', 'first_name').map((row) => ['2.1', UserInfoInput, row] as const),
    ...rowsOf('2.1', 'first_name').map((row) => ['2.1', UserInfo, row] as const),
    ...rowsOf('2.2', 'payor_code')
      .filter((row) => row['Field'] !== 'company')
      .map((row) => ['2.2', InsuranceInput, row] as const),
    ...rowsOf('2.3', 'user_id').map((row) => ['2.3', SignInToken, row] as const),
    ...rowsOf('2.6', 'id').map((row) => ['2.6', Appointment, row] as const),
    ...rowsOf('2.7', 'slug').map((row) => ['2.7', Provider, row] as const),
    ...rowsOf('4.3', 'provider').map((row) => ['4.3', BulkImportInput, row] as const),
    ...rowsOf('4.8', 'booking_key').map((row) => ['4.8', BookingInput, row] as const),
  ])('%s: a field is required and nullable as in its row (%#)', (_, schema, row) => {
    const field = row['Field'] ?? ''
    const insists = insistence(schema, field)
    expect(insists.absent, `${field} absent`).toBe(isRequired(row))
    if (isRequired(row)) expect(insists.null, `${field} null`).toBe(!isNullable(row))
    else if (isNullable(row)) expect(insists.null, `${field} null`).toBe(false)
  })

  it('2.2: a lenient insurance has its company', () => {
    expect(insistence(Insurance, 'company').absent).toBe(true)
  })

  it('2.5: every counter of a page may be null; the page of a lab test requires all of them', () => {
    for (const counter of ['total', 'page', 'size', 'pages']) {
      expect(insistence(MarkerPage, counter)).toEqual({ absent: false, null: false })
      expect(insistence(TestMarkerPage, counter)).toEqual({ absent: true, null: false })
    }
    expect(insistence(TestMarkerPage, 'markers').absent).toBe(true)
  })

  it('4.3: both lists of a completed import are required', () => {
    expect(insistence(BulkImportBody, 'user_ids_imported').absent).toBe(true)
    expect(insistence(BulkImportBody, 'user_ids_failed').absent).toBe(true)
  })
})

describe('enumerations', () => {
  const row = (number: string, field: string) =>
    tableWith(number, field).find((candidate) => Object.values(candidate)[0] === field) ?? {}
  const allowed = Object.fromEntries(
    (tables('2.1')[1] ?? []).map((line) => [line['Field'], values(line['Values'] ?? '')]),
  )
  const noted = (number: string, field: string) =>
    values((row(number, field)['Notes'] ?? '').split('(non-exhaustive')[0] ?? '')

  it.each([
    ['race', races, allowed['race']],
    ['ethnicity', ethnicities, allowed['ethnicity']],
    ['sexual_orientation', sexualOrientations, allowed['sexual_orientation']],
    ['gender_identity', genderIdentities, allowed['gender_identity']],
    ['relationship', insuranceRelationships, noted('2.2', 'relationship')],
    ['appointment type', appointmentTypes, noted('2.6', 'type')],
    ['auth_type', providerAuthTypes, noted('2.7', 'auth_type')],
    [
      'supported_resources',
      supportedResources,
      valuesAfter('2.7', 'Values of `supported_resources`: '),
    ],
    ['status', appointmentStatuses, valuesAfter('3.1', '`status` values: ')],
    ['event_status', appointmentEventStatuses, valuesAfter('3.1', '`event_status` values: ')],
  ])('%s has the values of the specification', (_, known, told) => {
    expect(known.toSorted()).toEqual(told?.toSorted())
  })

  it('has as many values as the specification says', () => {
    expect(supportedResources).toHaveLength(69)
    // A value that the service gained since (assumption); the sets are non-exhaustive.
    const added = ['google_health']
    expect(section('4.3')).toContain(
      `one of ${bulkImportProviders.length - added.length} provider slugs`,
    )
    expect(section('4.10')).toContain(
      `Its set has ${connectionProviders.length - added.length} values`,
    )
    expect(connectionProviders).toContain('manual')
    expect(new Set(connectionProviders).size).toBe(connectionProviders.length)
    for (const resource of summaryResources) expect(section('2.9')).toContain(resource)
  })

  it('2.6: time zones are the forms and names of the specification', () => {
    const single = /or one of ([A-Z0-9, ]+)/.exec(row('2.6', 'iana_timezone')['Notes'] ?? '')?.[1]
    const zones = [
      ...values(single ?? ''),
      'America/New_York',
      'America/Argentina/Buenos_Aires',
      'Etc/GMT+5',
      'Etc/UTC',
    ]
    expect(zones).toHaveLength(14)
    for (const zone of zones) expect(findDrift(lenient.ianaTimezone, zone), zone).toEqual([])
    for (const zone of ['New York', 'america/new_york', 'PST', 'A/B/C/D', '']) {
      expect(findDrift(lenient.ianaTimezone, zone), zone).toHaveLength(1)
    }
  })
})

describe('endpoints', () => {
  it('part 4: every endpoint with its own section is in the table with the same spelling', () => {
    const told = endpointLines()
    expect(told).toHaveLength(11)
    for (const { spec, line } of told) {
      const mine = endpoints.filter(({ section }) => section === spec)
      expect(
        mine.map(({ method, path }) => `${method} ${path}`),
        spec,
      ).toContain(line)
    }
  })

  it('4.12: the referenced endpoints are in the table', () => {
    const paths = endpoints
      .filter(({ section }) => section === '4.12')
      .map(({ path }) => path as string)
    expect(paths).toContain('/v3/order')
    expect(paths).toContain('/v3/lab_test')
    for (const resource of summaryResources) {
      expect(paths).toContain(`/v2/summary/${resource}/{user_id}`)
    }
  })

  it('4.11: the accepted media types are those of the specification', () => {
    const told = endpoints.filter(({ section }) => section === '4.11')
    expect(told.map((endpoint) => ('accept' in endpoint ? endpoint.accept : undefined))).toEqual([
      undefined,
      'application/vnd.service.tar+gzip+parquet',
    ])
    expect(section('4.11')).toContain('`application/vnd.service.tar+gzip+parquet`')
  })
})

describe('limits', () => {
  const limit = (name: string) =>
    tableWith('8', name).find((row) => row['Limit'] === name)?.['Value'] ?? ''
  const bounds = (value: string) => /(\d+) to (\d+)/.exec(value)?.slice(1).map(Number)

  it('part 8: the constants are those of the specification', () => {
    expect(bounds(limit('page size'))).toEqual([markerPageSize.minimum, markerPageSize.maximum])
    expect(limit('page size')).toContain(`default ${markerPageSize.default}`)
    expect(limit('appointment_notes length')).toBe(`max ${notesLength}`)
    const { sync, async } = confirmationTimeouts
    const syncLimit = limit('sync_confirmation_timeout_millisecond')
    expect(bounds(syncLimit)).toEqual([sync.minimum, sync.maximum])
    expect(syncLimit).toContain(`default ${sync.default}`)
    const asyncLimit = limit('async_confirmation_timeout_millisecond')
    expect(bounds(asyncLimit)).toEqual([async.minimum, async.maximum])
    expect(asyncLimit).toContain(`default ${async.default / 60_000} minutes`)
    expect(limit('bulk import wait window')).toBe(`${bulkImportWait / 1000} seconds`)
  })

  const booking = { booking_key: 'key' }
  it.each([
    [BookingInput, { ...booking, sync_confirmation_timeout_millisecond: 999 }, false],
    [BookingInput, { ...booking, sync_confirmation_timeout_millisecond: 1000 }, true],
    [BookingInput, { ...booking, sync_confirmation_timeout_millisecond: 10_000 }, true],
    [BookingInput, { ...booking, sync_confirmation_timeout_millisecond: 10_001 }, false],
    [BookingInput, { ...booking, sync_confirmation_timeout_millisecond: null }, true],
    [BookingInput, { ...booking, async_confirmation_timeout_millisecond: 59_999 }, false],
    [BookingInput, { ...booking, async_confirmation_timeout_millisecond: 60_000 }, true],
    [BookingInput, { ...booking, async_confirmation_timeout_millisecond: 172_800_000 }, true],
    [BookingInput, { ...booking, async_confirmation_timeout_millisecond: 172_800_001 }, false],
    [BookingInput, { ...booking, appointment_notes: 'x'.repeat(1000) }, true],
    [BookingInput, { ...booking, appointment_notes: 'x'.repeat(1001) }, false],
    [MarkerQuery, { page: 0 }, false],
    [MarkerQuery, { page: 1, size: 1 }, true],
    [MarkerQuery, { size: 0 }, false],
    [MarkerQuery, { size: 100 }, true],
    [MarkerQuery, { size: 101 }, false],
    [TestMarkerQuery, { size: 1.5 }, false],
    [
      RelativeTimeframe,
      { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 0 } },
      false,
    ],
    [RelativeTimeframe, { type: 'relative', anchor: '2025-02-30', past: { unit: 'day' } }, false],
    [RelativeTimeframe, { type: 'relative', anchor: '2024-02-29', past: { unit: 'day' } }, true],
  ])('checks every bound on both sides (%#)', (schema, value, isGood) => {
    expect(issuesOf(schema, value).length === 0).toBe(isGood)
  })
})

describe('deprecations', () => {
  const rows = tableWith('9', 'value field in the results object')

  it('part 9: the schedule has every entry, with its date', () => {
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    const entries: ScheduledDeprecation[] = Object.values(deprecations)
    expect(entries.map(({ item }) => item)).toEqual(rows.map((row) => row['Item']))
    for (const [index, { item, removal }] of entries.entries()) {
      const expected = removal ? `on or after ${day.format(new Date(removal))}` : 'not shown'
      expect(rows[index]?.['Removal'], item).toContain(expected)
    }
  })

  it('part 9: deprecated fields and endpoints of requests are marked in the contract', () => {
    const order = endpoints.find(({ id }) => id === 'orders.create')
    expect(order).toHaveProperty('deprecatedFields.lab_test_id.replacement', 'order_set')
    const list = endpoints.find(({ id }) => id === 'labTests.listAll')
    expect(list).toHaveProperty('deprecated.replacement', 'GET /v3/lab_test')
  })
})
