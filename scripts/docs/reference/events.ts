import { createMock } from '../../../mock/index.ts'
import { summaryResources } from '../../../src/contract/values/known-values.ts'
import { supportedResources } from '../../../src/contract/values/resources.ts'
import { sampleForms } from '../../../src/contract/values/samples.ts'
import { fieldTable } from './interfaces.ts'
import { code, fillPage, table } from './markdown.ts'

/** The event types with an example on the page. */
const examples = [
  'daily.data.sleep.created',
  'daily.data.heartrate.created',
  'historical.data.activity.created',
  'daily.data.sleep_cycle.created',
  'daily.timeseries.hypnogram.created',
  'provider.connection.created',
  'labtest.order.created',
  'labtest.appointment.updated',
  'labtest.result.critical',
  'provider.connection.error',
  'provider.device.created',
]

/** The files of the interfaces whose fields the page lists. */
const fields: Record<string, string> = {
  DataEventContent: 'src/contract/events.ts',
  Source: 'src/contract/source.ts',
  EventProvider: 'src/contract/events.ts',
  ResourceAvailability: 'src/contract/events.ts',
  Order: 'src/contract/orders.ts',
  Appointment: 'src/contract/appointments.ts',
  CriticalResults: 'src/contract/events.ts',
  OrderResult: 'src/contract/orders.ts',
  ConnectionFailureContent: 'src/contract/events.ts',
  DeviceContent: 'src/contract/events.ts',
}

export function eventsPage(): string {
  return fillPage('events.md', {
    resources: listResources(),
    samples: listSamples(),
    ...Object.fromEntries(
      Object.entries(fields).map(([name, file]) => [name, fieldTable(file, name)]),
    ),
    ...Object.fromEntries(examples.map((type) => [type, exampleOf(type)])),
  })
}

/** Summaries come first. */
function listResources(): string {
  const summaries: readonly string[] = [...summaryResources, 'sleep_cycle']
  const others = supportedResources.filter((resource) => !summaries.includes(resource))
  const list = (resources: readonly string[]) => resources.map(code).join(', ')
  return `Summaries: ${list(summaries)}.\n\nOther resources, mostly time series: ${list(others)}.`
}

/** Lists each sample's fields and unit, as a new mock sends them. */
function listSamples(): string {
  const team = createMock({ deprecatedFields: 'never' }).team()
  const rows = Object.keys(sampleForms).map((resource) => {
    const { body } = team.trigger(sampleType(resource))
    // The list of a data event has at least one sample.
    const { data } = body['data'] as { data: [Record<string, unknown>] }
    const { id: _, ...sample } = data[0]
    const fields = Object.keys(sample).filter((name) => !everySample.includes(name))
    return [
      code(resource),
      fields.map(code).join(', '),
      sample['unit'] ? code(`${sample['unit']}`) : '',
    ]
  })
  return table(['Resource', 'Additional fields', 'Unit'], rows)
}

const everySample = ['timestamp', 'timezone_offset', 'type', 'unit']

function sampleType(resource: string): string {
  return `daily.${resource === 'hypnogram' ? 'timeseries' : 'data'}.${resource}.created`
}

/** Returns the event that the mock triggers, with shortened lists and strings. */
function exampleOf(type: string): string {
  const { body } = createMock({ deprecatedFields: 'never' }).team().trigger(type)
  return ['```json', JSON.stringify(shorten(body), null, 2), '```'].join('\n')
}

const maxItems = 2
const maxLength = 60

function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > maxLength) return `${value.slice(0, 20)}…`
  if (Array.isArray(value)) return value.slice(0, maxItems).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, shortenField(name, field)]),
  )
}

/** Also shortens `resource_availability`, which is an object. */
function shortenField(name: string, field: unknown): unknown {
  if (name !== 'resource_availability') return shorten(field)
  return Object.fromEntries(Object.entries(Object(field)).slice(0, maxItems))
}
