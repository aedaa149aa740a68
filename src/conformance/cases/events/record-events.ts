import { assertEqual, assertThat } from '../../assertions.ts'
import type { TestedService } from '../../service.ts'
import type { Need } from '../../setup.ts'
import { fieldOf, type ObjectForm } from '../../shape.ts'
import { sourceForm } from '../summaries/summaries.ts'

export const needsFeed: readonly Need[] = ['user', 'events', 'connect']
export const needsTrigger: readonly Need[] = ['user', 'events', 'trigger']

/** The event envelope (specification part 6). */
export const envelope: ObjectForm = { event_type: 'text', data: 'object', user_id: 'uuid' }

export const dataEventForm: ObjectForm = {
  ...envelope,
  data: { data: 'array', source: sourceForm },
}

/** Returns the events sent during an action, except daily events about users that no case uses. */
export async function recordEvents(
  service: TestedService,
  action: () => unknown,
): Promise<unknown[]> {
  const before = (await service.setup.events()).length
  await action()
  const known = service.userIds()
  // Users who had data before the cases may get new data at any time.
  return (await service.setup.events()).slice(before).filter((event) => {
    const about = String(fieldOf(event, 'user_id')).toLowerCase()
    return known.has(about) || !typeOf(event).startsWith('daily.')
  })
}

/** Connects a user to a provider. Returns the events that the service sends, and asserts that there is at least one. */
export async function connectUser(
  service: TestedService,
  user: string,
  slug: string,
): Promise<unknown[]> {
  const events = await recordEvents(service, () => service.setup.connect(user, slug))
  assertThat(events.length > 0, 'Expected an event for the new connection, but found none.')
  return events
}

export function eventsOf(events: readonly unknown[], type: string | RegExp): unknown[] {
  return events.filter((event) => {
    const found = typeOf(event)
    return typeof type === 'string' ? found === type : type.test(found)
  })
}

export function typeOf(event: unknown): string {
  return String(fieldOf(event, 'event_type'))
}

/** Triggers an event and returns it. Asserts that the event has the given type and is the only data event. */
export async function triggerRecordEvent(
  service: TestedService,
  type: string,
  user: string,
): Promise<unknown> {
  const events = await recordEvents(service, () => service.setup.trigger(type, user))
  // Ignore events that are not data events. A service may send types that the specification does not list.
  const types = eventsOf(events, /^(?:daily|historical)\./).map(typeOf)
  assertThat(
    types.length === 1 && types[0] === type,
    `Expected exactly one data event of type ${type} and no others, but found ${types.length === 1 ? 'one of a different type' : types.length}.`,
  )
  return eventsOf(events, type)[0]
}

/** Asserts that two providers are equal, ignoring the logo if it is null or missing in either one. */
export function assertProvider(found: unknown, listed: unknown, name: string): void {
  for (const field of ['name', 'slug', 'logo']) {
    const [value, expected] = [fieldOf(found, field) ?? null, fieldOf(listed, field) ?? null]
    const isOpen = field === 'logo' && (value === null || expected === null)
    if (!isOpen) assertEqual(value, expected, `${name}.${field}`)
  }
}

export async function providerOf(service: TestedService, slug: string): Promise<unknown> {
  const json = await service.read('link.listProviders')
  const found = Array.isArray(json) ? json.find((one) => fieldOf(one, 'slug') === slug) : undefined
  assertThat(
    found !== undefined,
    'Expected the list of providers to contain the connected provider, but found only others.',
  )
  return found
}
