import { readFileSync } from 'node:fs'
import { type Attributes, metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import * as conventions from '@opentelemetry/semantic-conventions'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { describe, expect, it } from 'vitest'
import { createMock } from '../mock/index.ts'
import { type EventHandlerOptions, eventHandler } from '../src/events/index.ts'
import { ServiceClient } from '../src/index.ts'
import { instrument, instrumentEvents } from '../src/otel.ts'
import { failureOf } from './support/failure.ts'
import { delivery, secret } from './support/signed.ts'

/** A meter provider, and what it has recorded: `name{attribute=value} count`. */
function metered() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const points = async () => {
    exporter.reset()
    await reader.forceFlush()
    return exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap((scope) => scope.metrics)
      .flatMap(({ descriptor, dataPoints }) =>
        // Only counters and histograms with fixed buckets are used.
        (dataPoints as DataPoint<number | Histogram>[]).map((point) => ({
          ...descriptor,
          ...point,
        })),
      )
  }
  const counts = async (name: string, ...attributes: string[]) =>
    Object.fromEntries(
      (await points())
        .filter((point) => point.name === name)
        .map((point) => [shown(point.attributes, attributes), countOf(point.value)]),
    )
  return { meterProvider, points, counts }
}

function shown(values: Attributes, names: string[]): string {
  return names.map((name) => values[name] ?? '-').join(' ')
}

function sumOf(value: number | Histogram): number {
  return typeof value === 'number' ? value : (value.sum ?? 0)
}

function countOf(value: number | Histogram): number {
  return typeof value === 'number' ? value : value.count
}

describe('instrument', () => {
  it('records attempts, retries and calls by outcome', async () => {
    const { meterProvider, counts } = metered()
    const team = createMock().team()
    const client = new ServiceClient(instrument(team.connection(), { meterProvider }))
    team.faults.add({ on: 'link.listProviders', when: { first: 1 }, then: { status: 503 } })
    await client.link.listProviders()
    const booking = { booking_key: 'bk_confirm' }
    await failureOf(client.orders.bookPhlebotomyAppointment(crypto.randomUUID(), booking))

    const status = 'http.response.status_code'
    expect(
      await counts('http.client.request.duration', 'health_lab.operation', status, 'error.type'),
    ).toEqual({
      'link.listProviders 503 503': 1,
      'link.listProviders 200 -': 1,
      'orders.bookPhlebotomyAppointment 404 404': 1,
    })
    expect(
      await counts('health_lab.client.call.duration', 'health_lab.outcome', 'error.type'),
    ).toEqual({ 'succeeded -': 1, 'rejected not_found': 1 })
    expect(await counts('health_lab.client.call.retries', 'health_lab.operation')).toEqual({
      'link.listProviders': 1,
    })
  })

  it('records the duration of a call in seconds of its clock, with the waits', async () => {
    const { meterProvider, points } = metered()
    const team = createMock().team()
    const client = new ServiceClient(instrument(team.connection(), { meterProvider }))
    team.faults.add({ on: 'link.listProviders', when: { first: 1 }, then: { latency: '7s' } })
    await client.link.listProviders()
    const sums = (await points()).map(({ name, value }) => [name, Math.floor(sumOf(value))])
    expect(Object.fromEntries(sums)).toEqual({
      'http.client.request.duration': 7,
      'health_lab.client.call.duration': 7,
    })
  })

  it('records with a global provider that is registered later, and with no personal data', async () => {
    const { meterProvider, points } = metered()
    const team = createMock().team()
    const client = new ServiceClient(instrument(team.connection()))
    const { user_id } = team.users.create()
    await client.users.createSignInToken(user_id)
    metrics.setGlobalMeterProvider(meterProvider)
    await client.users.createSignInToken(user_id)
    metrics.disable()
    const recorded = await points()
    expect(recorded.map(({ value }) => countOf(value))).toEqual([1, 1])
    expect(JSON.stringify(recorded)).not.toContain(user_id)
  })

  it.each(['getMeter', 'createHistogram', 'record'])(
    'completes the call when %s fails',
    async (method) => {
      const { meterProvider } = metered()
      const failing = () => {
        throw new Error('the meter failed')
      }
      const histogram = { record: method === 'record' ? failing : () => {} }
      const meter = Object.assign(meterProvider.getMeter('test'), {
        createHistogram: method === 'createHistogram' ? failing : () => histogram,
      })
      meterProvider.getMeter = method === 'getMeter' ? failing : () => meter
      const team = createMock().team()
      const client = new ServiceClient(instrument(team.connection(), { meterProvider }))
      expect(await client.link.listProviders()).not.toHaveLength(0)
    },
  )
})

const sleep = { event_type: 'daily.data.sleep.created', user_id: crypto.randomUUID(), data: {} }

describe('instrumentEvents', () => {
  function receiver(options: Partial<EventHandlerOptions> = {}) {
    const { meterProvider, ...recorded } = metered()
    const given = { secrets: secret, on: {}, fallback: () => {}, ...options }
    return { receive: eventHandler(instrumentEvents(given, { meterProvider })), ...recorded }
  }

  it('counts handled, duplicate, failed and rejected deliveries', async () => {
    let fails = true
    const { receive, counts } = receiver({
      fallback() {
        if (fails) throw new Error('the database is down')
      },
    })
    await receive(await delivery(sleep))
    fails = false
    await Promise.all([receive(await delivery(sleep)), receive(await delivery(sleep))])
    await receive(await delivery(sleep))
    await receive(new Request('https://receiver.test', { method: 'POST', body: '{}' }))
    const expected = { failed: 1, handled: 1, duplicate: 2, rejected: 1 }
    const result = 'health_lab.delivery.result'
    expect(await counts('messaging.client.consumed.messages', result)).toEqual(expected)
    expect(await counts('messaging.process.duration', result)).toEqual(expected)
    expect(
      await counts('messaging.client.consumed.messages', 'health_lab.event.type', 'error.type'),
    ).toMatchObject({ 'daily.data.sleep.created failed': 1, '- rejected': 1 })
  })

  it('counts deliveries that another receiver handles as busy', async () => {
    const dedupe = { claim: () => 'busy', finish: () => {}, release: () => {} }
    const { receive, counts } = receiver({ dedupe })
    await receive(await delivery(sleep))
    expect(
      await counts('messaging.client.consumed.messages', 'health_lab.delivery.result'),
    ).toEqual({ busy: 1 })
  })

  it('records the age of valid deliveries', async () => {
    const { receive, points } = receiver()
    await receive(await delivery(sleep, { at: new Date(Date.now() - 90_000) }))
    const ages = (await points()).filter(({ name }) => name === 'health_lab.delivery.age')
    const [seconds] = ages.map(({ value }) => sumOf(value))
    expect(seconds).toBeGreaterThanOrEqual(90)
    expect(seconds).toBeLessThan(100)
  })

  it('still calls your own callback, and rejects unknown options', async () => {
    const seen: unknown[] = []
    const { receive } = receiver({ onDelivery: (report) => seen.push(report) })
    await receive(await delivery(sleep))
    const numbers = { age: expect.any(Number), duration: expect.any(Number) }
    expect(seen).toEqual([{ result: 'handled', eventType: sleep.event_type, ...numbers }])
    // @ts-expect-error events have no spans
    expect(() => instrumentEvents({ secrets: secret }, { tracerProvider: {} })).toThrow(/tracer/)
  })
})

describe('names', () => {
  async function everything() {
    const { meterProvider, points } = metered()
    const team = createMock().team()
    const client = new ServiceClient(instrument(team.connection(), { meterProvider }))
    team.faults.add({ on: 'link.listProviders', when: { first: 1 }, then: { status: 503 } })
    await client.link.listProviders()
    await failureOf(client.orders.downloadRequisition(crypto.randomUUID()))
    const options = { secrets: secret, on: {}, fallback: () => {} }
    const receive = eventHandler(instrumentEvents(options, { meterProvider }))
    await receive(await delivery(sleep))
    await receive(new Request('https://receiver.test'))
    return points()
  }

  it('are those of the semantic conventions, or start with health_lab', async () => {
    const known = new Set<unknown>(Object.values({ ...conventions, ...incubating }))
    const recorded = await everything()
    const names = recorded.flatMap(({ name, attributes }) => [name, ...Object.keys(attributes)])
    expect(names.filter((name) => !known.has(name) && !name.startsWith('health_lab.'))).toEqual([])
    expect(new Set(recorded.map(({ name }) => name)).size).toBe(6)
  })

  it('of the dashboard are the recorded ones, as Prometheus spells them', async () => {
    const recorded = await everything()
    const plain = (name: string) => name.replaceAll('.', '_')
    const series = recorded.flatMap(({ name, unit }) =>
      unit === 's'
        ? [`${plain(name)}_seconds_bucket`, `${plain(name)}_seconds_count`]
        : [`${plain(name)}_total`],
    )
    const labels = recorded.flatMap(({ attributes }) => Object.keys(attributes).map(plain))
    const { panels } = JSON.parse(dashboard())
    for (const { targets } of panels) {
      for (const { expr, legendFormat } of targets) {
        expect(series).toContain(/rate\((\w+)/.exec(expr)?.[1])
        const [, by = ''] = /by \(([^)]+)\)/.exec(expr) ?? []
        for (const label of by.split(', ')) expect([...labels, 'le']).toContain(label)
        const shownLabels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
        expect(by.split(', ')).toEqual(expect.arrayContaining(shownLabels))
      }
    }
  })
})

function dashboard(): string {
  return readFileSync('examples/grafana/dashboard.json', 'utf8')
}
