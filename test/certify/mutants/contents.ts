import { type Json, type Receiver, reply } from '../receiver.ts'
import { mutantsOf } from './mutant.ts'

/** Receivers with a bug in what they read from an event. */
export const contentMutants = mutantsOf({
  'rejects unknown event types': (receiver) => ({
    respond: async (head, event) =>
      /^(?:daily|historical|provider|labtest)[.]/.test(event.event_type)
        ? base(receiver).respond.call(receiver, head, event)
        : reply(422),
  }),
  'rejects unknown resources': requires(
    ({ event_type }) => !event_type.includes('bone_conduction'),
  ),
  'rejects lab events': requires(({ event_type }) => !event_type.startsWith('labtest.')),
  'rejects the hypnogram events': requires(({ event_type }) => !event_type.includes('hypnogram')),
  'rejects the sleep cycle events': requires(
    ({ event_type }) => !event_type.includes('sleep_cycle'),
  ),
  'rejects unknown fields of the envelope': requires((event) =>
    Object.keys(event).every((name) => ['event_type', 'user_id', 'data'].includes(name)),
  ),
  'rejects unknown fields of data': requires(
    ({ event_type, data }) =>
      !event_type.includes('.data.') ||
      Object.keys(data).every((name) => ['data', 'source', 'is_final'].includes(name)),
  ),
  'rejects unknown source types': requires(
    ({ data }) => !data.source?.type || ['ring', 'watch', 'app'].includes(data.source.type),
  ),
  'rejects unknown providers': requires(({ data }) =>
    ['oura', undefined].includes(data.provider?.slug),
  ),
  'rejects unknown states of a night': requires(({ data }) =>
    nightsOf(data).every(({ state = null }) => [null, 'confirmed', 'tentative'].includes(state)),
  ),
  'requires the deprecated fields of a source': requires(
    ({ event_type, data }) =>
      !event_type.includes('.data.') || typeof data.source.slug === 'string',
  ),
  'requires the current fields of a source': requires(
    ({ event_type, data }) =>
      !event_type.includes('.data.') || typeof data.source.provider === 'string',
  ),
  'rejects sources with deprecated fields': requires(({ data }) => !data.source?.slug),
  'requires an app_id': requires(({ data }) => data.source?.app_id !== null),
  'rejects an app_id that is a string': requires(
    ({ data }) => typeof data.source?.app_id !== 'string',
  ),
  'stores the deprecated slug as the provider': (receiver) => ({
    stored: () =>
      base(receiver)
        .stored.call(receiver)
        .map((record) => ({
          ...record,
          provider: (record as { source?: Json }).source?.slug ?? null,
        })),
  }),
  'requires source in connection events': requires(
    ({ event_type, data }) => event_type !== 'provider.connection.created' || Boolean(data.source),
  ),
  'rejects source in connection events': requires(
    ({ event_type, data }) => event_type !== 'provider.connection.created' || !data.source,
  ),
  'requires the connection before data': (receiver) => {
    const connected = new Set<string>()
    return {
      respond: async (head, event) => {
        if (event.event_type === 'provider.connection.created') connected.add(event.user_id)
        if (event.event_type.includes('.data.') && !connected.has(event.user_id)) return reply(404)
        return base(receiver).respond.call(receiver, head, event)
      },
    }
  },
  'requires is_final in historical events': requires(
    ({ event_type, data }) => !event_type.startsWith('historical') || 'is_final' in data,
  ),
  'ignores historical events without is_final': (receiver) => ({
    handle: async (event) => {
      if (event.event_type.startsWith('historical') && !event.data.is_final) return
      await base(receiver).handle.call(receiver, event)
    },
  }),
  'ignores historical events': (receiver) => ({
    handle: async (event) => {
      if (event.event_type.startsWith('historical')) return
      await base(receiver).handle.call(receiver, event)
    },
  }),
  'requires records': requires(({ event_type, data }) =>
    event_type.includes('.data.') ? data.data.length > 0 : true,
  ),
  'requires a score': requires(({ data }) => nightsOf(data).every(({ score }) => score !== null)),
  'requires a calendar_date': requires(({ event_type, data }) =>
    event_type.includes('.sleep.')
      ? nightsOf(data).every(({ calendar_date }) => calendar_date)
      : true,
  ),
  'has a limit of 100 kB': (receiver) => ({
    receive: async (request) =>
      (await request.clone().text()).length > 102_400
        ? reply(413)
        : base(receiver).receive.call(receiver, request),
  }),
  'rejects events of last week': requires(({ data }) =>
    nightsOf(data).every(({ updated_at }) => updated_at?.startsWith('2025-06-01') ?? true),
  ),
})

/** Receivers with a bug in what they store. */
export const storageMutants = mutantsOf({
  'decodes bodies as Latin-1': () => ({
    parse: (raw) => JSON.parse(Buffer.from(raw).toString('latin1')),
  }),
  'stores the first record of an event': (receiver) => ({
    handle: async (event) => {
      const first = event.data?.data?.slice?.(0, 1)
      const data = { ...event.data, data: first }
      await base(receiver).handle.call(receiver, { ...event, data })
    },
  }),
  'stores the first 2,000 records of an event': (receiver) => ({
    handle: async (event) => {
      const data = { ...event.data, data: event.data?.data?.slice?.(0, 2_000) }
      await base(receiver).handle.call(receiver, { ...event, data })
    },
  }),
  'ignores known records in creation events': ignoresKnown(/[.]created$/),
  'ignores known records in daily creation events': ignoresKnown(/^daily.+[.]created$/),
  'ignores known records in historical events': ignoresKnown(/^historical[.]/),
  'compares updated_at as text': () => ({
    isNewer: (night, stored) => night.updated_at >= stored.updated_at,
  }),
  'compares updated_at without its fraction': () => ({
    isNewer: (night, stored) => secondOf(night) > secondOf(stored),
  }),
  'compares updated_at without its offset': () => ({
    isNewer: (night, stored) => night.updated_at.slice(0, 19) >= stored.updated_at.slice(0, 19),
  }),
  'inserts nights again': (receiver) => ({
    storeNight: (night) => receiver.nights.set(`${night.id} ${receiver.nights.size}`, night),
  }),
  'inserts samples again and handles duplicates': (receiver) => ({
    storeSample: ({ user_id }, _, sample) =>
      receiver.samples.set(`${receiver.samples.size}`, { ...sample, user_id }),
    respond: (head, event) => receiver.attempt(head, event),
    options: () => ({
      ...base(receiver).options.call(receiver),
      probe: () => receiver.stored(),
    }),
  }),
  'keeps the version that arrived last': () => ({ isNewer: () => true }),
  'keeps the version that arrived first': () => ({ isNewer: () => false }),
  'keeps the higher score, or the newer of equal ones': (receiver) => ({
    isNewer: (night, stored) =>
      night.score > stored.score ||
      (night.score === stored.score && base(receiver).isNewer.call(receiver, night, stored)),
  }),
  'stores an update up to a minute older than the stored record': () => ({
    isNewer: (night, stored) =>
      Date.parse(night.updated_at) >= Date.parse(stored.updated_at) - 60_000,
  }),
  'ignores updates': (receiver) => ({
    handle: async (event) => {
      if (event.event_type.endsWith('.updated')) return
      await base(receiver).handle.call(receiver, event)
    },
  }),
  'ignores updates of unknown records': (receiver) => ({
    handle: async (event) => {
      const isUpdate = event.event_type.endsWith('.updated')
      if (isUpdate && !receiver.nights.has(event.data.data[0].id)) return
      await base(receiver).handle.call(receiver, event)
    },
  }),
  'keeps the higher score': () => ({
    isNewer: (night, stored) => night.score >= stored.score && stored.state !== 'tentative',
  }),
  'keeps tentative nights': (receiver) => ({
    isNewer: (night, stored) =>
      night.state === 'tentative' || base(receiver).isNewer.call(receiver, night, stored),
  }),
  'stores one night per day': (receiver) => ({
    storeNight: (night) => {
      receiver.nights.set(`${night.user_id} ${night.calendar_date}`, night)
    },
  }),
  'replaces all nights of a user': (receiver) => ({
    handle: async (event) => {
      if (/[.]sleep[.]/.test(event.event_type)) {
        for (const [id, { user_id }] of receiver.nights) {
          if (user_id === event.user_id && event.data.data.length === 0) receiver.nights.delete(id)
        }
      }
      await base(receiver).handle.call(receiver, event)
    },
  }),
  'rounds values': changed((night) => ({ efficiency: Math.round(night.efficiency) })),
  'drops a score of 0': changed(({ score }) => ({ score: score || null })),
  'computes the day from the end of the session': changed(({ bedtime_stop }) => ({
    calendar_date: bedtime_stop?.slice(0, 10),
  })),
  'computes the day from the start of the session': changed(({ bedtime_start }) => ({
    calendar_date: bedtime_start?.slice(0, 10),
  })),
  'computes the day in the zone of New York': changed(({ bedtime_stop }) => ({
    calendar_date: dayOf(bedtime_stop, -14_400),
  })),
  'computes the day in the zone of Auckland': changed(({ bedtime_stop }) => ({
    calendar_date: dayOf(bedtime_stop, 43_200),
  })),
  'rounds the offset of a zone to hours': changed(
    ({ bedtime_stop, timezone_offset, ...night }) => ({
      calendar_date:
        timezone_offset === null
          ? night.calendar_date
          : dayOf(bedtime_stop, Math.trunc(timezone_offset / 3_600) * 3_600),
    }),
  ),
  'computes the day with an offset that may be null': changed(
    ({ bedtime_stop, timezone_offset }) => ({
      calendar_date: dayOf(bedtime_stop, timezone_offset),
    }),
  ),
  'stores samples without their source': (receiver) => ({
    storeSample: (event, resource, sample) =>
      base(receiver).storeSample.call(
        receiver,
        { ...event, data: { source: { provider: 'any' } } },
        resource,
        sample,
      ),
  }),
  'stores samples without their resource': (receiver) => ({
    storeSample: (event, _, sample) =>
      base(receiver).storeSample.call(receiver, event, 'any', sample),
  }),
  'deletes the nights of a connection that no longer works': deletesAt('provider.connection.error'),
  'deletes the nights of a user who connects': deletesAt('provider.connection.created'),
  'drops the time zone of times': changed(({ bedtime_stop }) => ({
    bedtime_stop: bedtime_stop?.replace('Z', '+09:00'),
  })),
  'compares and writes in two steps': (receiver) => ({
    handle: async (event) => {
      for (const night of event.data?.data ?? []) {
        if (night.score === undefined) continue
        const stored = receiver.nights.get(night.id)
        const isNewer = !stored || receiver.isNewer(night, stored)
        await new Promise((resolve) => setTimeout(resolve, 1))
        if (isNewer) receiver.nights.set(night.id, night)
      }
    },
  }),
})

/** Returns the methods of a correct receiver. */
function base(receiver: Receiver): Receiver {
  return Object.getPrototypeOf(receiver)
}

/** Responds with 400 to events that do not meet a condition. */
function requires(isValid: (event: Json) => boolean) {
  return (receiver: Receiver): Partial<Receiver> => ({
    respond: async (head, event) =>
      isValid(event) ? base(receiver).respond.call(receiver, head, event) : reply(400),
  })
}

/** Stores only the unknown records of some event types. */
function ignoresKnown(types: RegExp) {
  return (receiver: Receiver): Partial<Receiver> => ({
    handle: async (event) => {
      const isNew = ({ id }: Json) => !types.test(event.event_type) || !receiver.nights.has(id)
      const data = { ...event.data, data: event.data?.data?.filter?.(isNew) }
      await base(receiver).handle.call(receiver, { ...event, data })
    },
  })
}

function secondOf({ updated_at }: Json): number {
  return Math.floor(Date.parse(updated_at) / 1000)
}

/** Deletes the nights of a user when an event of a type arrives. */
function deletesAt(type: string) {
  return (receiver: Receiver): Partial<Receiver> => ({
    handle: async (event) => {
      for (const [id, { user_id }] of receiver.nights) {
        if (event.event_type === type && user_id === event.user_id) receiver.nights.delete(id)
      }
      await base(receiver).handle.call(receiver, event)
    },
  })
}

/** Returns the day of a time in a zone, some seconds east of UTC. */
function dayOf(time: string | undefined, offset: number | null): string | undefined {
  if (time === undefined) return undefined
  return new Date(Date.parse(time) + (offset ?? 0) * 1000).toISOString().slice(0, 10)
}

/** Stores nights with other fields. */
function changed(change: (night: Json) => Json) {
  return (receiver: Receiver): Partial<Receiver> => ({
    storeNight: (night) => base(receiver).storeNight.call(receiver, { ...night, ...change(night) }),
  })
}

function nightsOf(data: Json): Json[] {
  return Array.isArray(data?.data) ? data.data.filter(({ id }: Json) => id) : []
}
