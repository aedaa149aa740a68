import type { SentRecord } from './compare.ts'
import { type EventMessage, eventMessage } from './message.ts'

/** The source of test events, without the deprecated fields. */
export const source = { provider: 'oura', type: 'ring', app_id: null }

const hour = 3_600_000

const day = '2025-06-01'

/** Returns the ISO 8601 time that is `minutes` minutes after 09:00 UTC on the day of the test records. */
export function timeAt(minutes: number): string {
  return new Date(Date.parse(`${day}T09:00:00Z`) + minutes * 60_000).toISOString()
}

export function testNight(userId: string, changes: SentRecord = {}): SentRecord {
  return {
    id: crypto.randomUUID(),
    user_id: userId,
    source,
    calendar_date: day,
    bedtime_start: '2025-05-31T22:49:00Z',
    bedtime_stop: '2025-06-01T08:02:00Z',
    timezone_offset: 0,
    state: 'confirmed',
    type: 'long_sleep',
    duration: 33_180,
    score: 70,
    efficiency: 93.8,
    respiratory_rate: 14.35,
    created_at: timeAt(0),
    updated_at: timeAt(0),
    ...changes,
  }
}

export function bareNight(userId: string): SentRecord {
  return { id: crypto.randomUUID(), user_id: userId, source, updated_at: timeAt(0) }
}

/** Returns samples that are one second apart. */
export function heartRates(userId: string, count: number): SentRecord[] {
  // Use a random hour, because cases can share a user and must not send the same samples twice.
  const start = Date.parse('2020-01-01T00:00:00Z') + Math.floor(Math.random() * 40_000) * hour
  return Array.from({ length: count }, (_, at) => ({
    user_id: userId,
    timestamp: new Date(start + at * 1000).toISOString(),
    value: 55.5 + (at % 40),
    unit: 'bpm',
    timezone_offset: null,
  }))
}

export function testDataEvent(
  type: string,
  userId: string,
  records: readonly SentRecord[],
  content: Readonly<Record<string, unknown>> = {},
) {
  return {
    event_type: type,
    user_id: userId,
    data: { data: records, source, ...content },
  }
}

export function sleepCreated(userId: string, ...nights: SentRecord[]) {
  return testDataEvent('daily.data.sleep.created', userId, nights)
}

export function nightMessage({ userId }: { userId: string }): EventMessage {
  return eventMessage(sleepCreated(userId, testNight(userId)))
}

export function sleepUpdated(userId: string, ...nights: SentRecord[]) {
  return testDataEvent('daily.data.sleep.updated', userId, nights)
}

export function heartRatesCreated(userId: string, samples: readonly SentRecord[]) {
  return testDataEvent('daily.data.heartrate.created', userId, samples)
}

export const provider = { name: 'Oura', slug: 'oura', logo: 'https://logos.test/oura.png' }

export function connectionCreated(userId: string, content: Readonly<Record<string, unknown>> = {}) {
  return {
    event_type: 'provider.connection.created',
    user_id: userId,
    data: {
      user_id: userId,
      provider,
      resource_availability: { sleep: { status: 'available' } },
      ...content,
    },
  }
}

export function connectionFailed(userId: string) {
  return {
    event_type: 'provider.connection.error',
    user_id: userId,
    data: {
      user_id: userId,
      provider,
      error_type: 'token_refresh_failed',
      error_message: 'The user has to connect again.',
      error_details: null,
    },
  }
}
