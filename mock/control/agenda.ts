import type { PendingEvent } from '../state/clock/due-queue.ts'
import type { BulkImportOp } from '../state/records/bulk-ops.ts'
import type { Team } from '../team.ts'

/** A scheduled event, with a description of its effect. */
export interface AgendaItem extends PendingEvent {
  /** A description, such as `The booking is confirmed`. */
  title: string
  /** The id of the booking's order. */
  order_id?: string
  /** The id of the order's user. */
  user_id?: string
  /** The id of the webhook that receives the event. */
  webhook?: string
}

type Subject = Omit<AgendaItem, keyof PendingEvent>

export function describeDueEvents(team: Team, first?: number): AgendaItem[] {
  const bookings = new Map(team.state.bookings.snapshot().attempts.map((open) => [open.id, open]))
  const describe = (event: PendingEvent): Subject => {
    const booking = bookings.get(event.subject)
    if (!booking) return describeOther(team, event)
    const { order_id, outcome } = booking
    const user_id = team.orders.get(order_id)?.user_id
    const title = bookingTitles[event.type]?.(outcome) ?? event.type
    return { title, order_id, ...(user_id ? { user_id } : {}) }
  }
  const pending = team.clock.pending().slice(0, first)
  return pending.map((event) => ({ ...event, ...describe(event) }))
}

const bookingTitles: Partial<Record<PendingEvent['type'], (outcome: string) => string>> = {
  'booking.outcome': (outcome) => `The booking ${outcome === 'confirm' ? 'is confirmed' : 'fails'}`,
  'booking.pending': () => "The booking's request returns, and the booking stays pending",
  'booking.timeout': () => 'The booking reaches its timeout and fails',
  'booking.abandoned': () => 'The pending booking is cancelled',
}

function describeOther(team: Team, { type, subject, at }: PendingEvent): Subject {
  const run = type === 'import.end' ? team.bulkOps.get(subject) : undefined
  if (run) return { title: importTitle(run) }
  const webhook = type === 'webhook.due' ? team.webhooks.get(subject) : undefined
  if (!webhook) return { title: otherTitles[type] ?? type }
  const due = webhook.planned().filter((attempt) => attempt.at.getTime() === at.getTime())
  const [next] = due
  const what = next ? `attempt ${next.attempt} of ${next.event_type ?? 'an event'}` : 'new events'
  const others = due.length > 1 ? ` and ${due.length - 1} more` : ''
  return { title: `Delivery: ${what}${others}`, webhook: subject }
}

const otherTitles: Partial<Record<PendingEvent['type'], string>> = {
  'data.arrival': "Living users' health data arrives",
  'order.progress': "A living user's lab order moves to its next step",
  'appointment.progress': "A living user's visit starts or ends",
}

function importTitle({ provider, processed, total }: BulkImportOp): string {
  return `The bulk import from ${provider} finishes; ${processed} of ${total} connections have been processed`
}
