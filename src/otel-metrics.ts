import {
  type Attributes,
  type Counter,
  type Histogram,
  type MeterProvider,
  metrics,
} from '@opentelemetry/api'
import type { EndEvent, RetryEvent } from './client/hooks.ts'
import type { DeliveryReport } from './events/settings.ts'
import { version } from './version.ts'

/** The histogram boundaries that the semantic conventions recommend, in seconds. */
const httpBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/**
 * The histogram boundaries for call durations and delivery ages, in seconds. A booking can take minutes, and a delivery
 * can arrive hours late.
 */
const longBuckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21600, 86400]

interface Instruments {
  requestDuration: Histogram
  callDuration: Histogram
  retries: Counter
  processDuration: Histogram
  consumedMessages: Counter
  deliveryAge: Histogram
}

export class Metrics {
  readonly #given: MeterProvider | undefined
  readonly #instruments = new WeakMap<MeterProvider, Instruments>()

  /** @param provider The meter provider. Default: the global provider at the time of each recording. */
  constructor(provider: MeterProvider | undefined) {
    this.#given = provider
  }

  recordAttempt(duration: number, attributes: Attributes): void {
    this.#get().requestDuration.record(duration / 1000, attributes)
  }

  recordRetry({ operation }: RetryEvent): void {
    this.#get().retries.add(1, { 'health_lab.operation': operation })
  }

  recordCall({ operation, outcome, code, duration }: EndEvent): void {
    this.#get().callDuration.record(duration / 1000, {
      'health_lab.operation': operation,
      'health_lab.outcome': outcome,
      'error.type': code,
    })
  }

  recordDelivery({ result, eventType, age, duration }: DeliveryReport): void {
    const { processDuration, consumedMessages, deliveryAge } = this.#get()
    const attributes = {
      'messaging.system': 'health_lab',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'health_lab.event.type': eventType,
      'health_lab.delivery.result': result,
      'error.type': result === 'failed' || result === 'rejected' ? result : undefined,
    }
    consumedMessages.add(1, attributes)
    processDuration.record(duration / 1000, attributes)
    if (age !== undefined) deliveryAge.record(age / 1000, { 'health_lab.event.type': eventType })
  }

  #get(): Instruments {
    const provider = this.#given ?? metrics.getMeterProvider()
    const known = this.#instruments.get(provider)
    if (known) return known
    const created = createInstruments(provider)
    this.#instruments.set(provider, created)
    return created
  }
}

function createInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter('health-lab-sdk', version)
  const seconds = (name: string, description: string, explicitBucketBoundaries = httpBuckets) =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } })
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(name, { unit, description })
  return {
    requestDuration: seconds('http.client.request.duration', 'Duration of attempts.'),
    callDuration: seconds(
      'health_lab.client.call.duration',
      'Duration of calls, including retries.',
      longBuckets,
    ),
    retries: counter('health_lab.client.call.retries', '{retry}', 'Retries of calls.'),
    processDuration: seconds('messaging.process.duration', 'Time taken to handle a delivery.'),
    consumedMessages: counter(
      'messaging.client.consumed.messages',
      '{message}',
      'Deliveries received.',
    ),
    deliveryAge: seconds(
      'health_lab.delivery.age',
      "Time from a delivery's signing to its arrival.",
      longBuckets,
    ),
  }
}
