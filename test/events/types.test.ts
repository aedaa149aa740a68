import { expectTypeOf, it } from 'vitest'
import type {
  Appointment,
  EventOf,
  EventProvider,
  KnownEventType,
  OrderResult,
} from '../../src/events/index.ts'

it('types the data of every lab and provider event', () => {
  expectTypeOf<EventOf<'labtest.order.created'>['data']['status']>().toEqualTypeOf<
    string | null | undefined
  >()
  type Moved = EventOf<'labtest.appointment.updated'>['data']
  expectTypeOf<Moved['status']>().toEqualTypeOf<Appointment['status'] | undefined>()
  expectTypeOf<Moved['start_at']>().toEqualTypeOf<string | null | undefined>()
  type Critical = EventOf<'labtest.result.critical'>['data']
  expectTypeOf<Critical['results']>().toEqualTypeOf<OrderResult[] | undefined>()
  expectTypeOf<EventOf<'provider.connection.error'>['data']['error_type']>().toEqualTypeOf<
    string | undefined
  >()
  expectTypeOf<EventOf<'provider.device.updated'>['data']['provider']>().toEqualTypeOf<
    EventProvider | undefined
  >()
  // Fields that the specification does not name are accepted, unchecked.
  expectTypeOf<Critical['later']>().toBeUnknown()
})

it('has an event for every known type', () => {
  type Untyped = { [Type in KnownEventType]: [EventOf<Type>] extends [never] ? Type : never }
  expectTypeOf<Untyped[KnownEventType]>().toBeNever()
})
