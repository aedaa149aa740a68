import type { SentRecord } from './compare.ts'

/** The source of generated events, with the current fields. */
export const source = { provider: 'oura', type: 'ring', app_id: null }

const hour = 3_600_000

/** The day of generated records. */
const day = '2025-06-01'

/** Returns a time on the day of generated records, in UTC (ISO 8601). */
export function timeAt(minutes: number): string {
  return new Date(Date.parse(`${day}T09:00:00Z`) + minutes * 60_000).toISOString()
}

/** Returns a night of a user; `changes` replace fields. */
export function testNight(userId: string, changes: SentRecord = {}): SentRecord {
  return {
    id: crypto.randomUUID(),
    user_id: userId,
    source,
    calendar_date: day,
    session_start: '2025-05-31T22:49:00Z',
    session_end: '2025-06-01T08:02:00Z',
    timezone_offset: 0,
    state: 'confirmed',
    type: 'long_sleep',
    duration_second: 33_180,
    score: 70,
    efficiency: 93.8,
    respiratory_rate: 14.35,
    created_at: timeAt(0),
    updated_at: timeAt(0),
    ...changes,
  }
}

/** Returns heart rates of a user, one for each second. */
export function heartRates(userId: string, count: number): SentRecord[] {
  // A random hour, so that a user of the options does not get the same samples twice.
  const start = Date.parse('2020-01-01T00:00:00Z') + Math.floor(Math.random() * 40_000) * hour
  return Array.from({ length: count }, (_, at) => ({
    user_id: userId,
    timestamp: new Date(start + at * 1000).toISOString(),
    value: 55.5 + (at % 40),
    unit: 'bpm',
    timezone_offset: null,
  }))
}

/** Returns an event with records. */
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

/** Returns an event with new nights of a user. */
export function sleepCreated(userId: string, ...nights: SentRecord[]) {
  return testDataEvent('daily.data.sleep.created', userId, nights)
}

/** Returns an event with changed nights of a user. */
export function sleepUpdated(userId: string, ...nights: SentRecord[]) {
  return testDataEvent('daily.data.sleep.updated', userId, nights)
}

/** Returns an event with heart rates of a user. */
export function heartRatesCreated(userId: string, samples: readonly SentRecord[]) {
  return testDataEvent('daily.data.heartrate.created', userId, samples)
}

/** Returns an event of a new connection; `content` replaces fields of its data. */
export function connectionCreated(userId: string, content: Readonly<Record<string, unknown>> = {}) {
  const provider = { name: 'Oura', slug: 'oura', logo: 'https://logos.test/oura.png' }
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

/** Returns an event of a connection that no longer works. */
export function connectionFailed(userId: string) {
  return {
    event_type: 'provider.connection.error',
    user_id: userId,
    data: {
      user_id: userId,
      provider: { name: 'Oura', slug: 'oura', logo: 'https://logos.test/oura.png' },
      error_type: 'token_refresh_failed',
      error_message: 'The user has to connect again.',
      error_details: null,
    },
  }
}
