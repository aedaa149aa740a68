import { deprecations } from '../../../src/contract/values/deprecations.ts'
import type { Feed } from '../../life/arrivals/feed.ts'
import { slotsSent } from '../../life/arrivals/transmissions.ts'
import { isSent, makeSource } from '../../state/records/source.ts'
import { connectionErrorEvent, connectionEvent, type EventBody, noticeEvent } from '../bodies.ts'
import { type EventContext, isSummary, resourceOfType } from '../chunk.ts'
import type { ArrivalEmission } from './arrival-emissions.ts'
import { itemsOf } from './arrived-items.ts'

/** Makes the body of an event of data that arrived. One that is sent again has the body of the first one. */
export function arrivalBody(emission: ArrivalEmission, context: EventContext): EventBody {
  const { transmission } = emission
  const feed = context.living.feed(emission.feed)
  const dated = { ...context, clock: { moment: transmission.at } }
  if (transmission.kind === 'connected') return connectionEvent(feed.userId, feed.provider, dated)
  if (transmission.kind === 'failed') return connectionErrorEvent(feed.userId, feed.provider, dated)
  return emission.isNotice ? notice(emission, feed, dated) : dataOf(emission, feed, dated)
}

function notice({ event_type, transmission }: ArrivalEmission, feed: Feed, context: EventContext) {
  const { userId: user_id, provider } = feed
  const resource = resourceOfType(transmission.resource)
  return noticeEvent(event_type, { user_id, provider, resource }, context)
}

function dataOf(
  { event_type, transmission }: ArrivalEmission,
  feed: Feed,
  context: EventContext,
): EventBody {
  const { resource, kind } = transmission
  const items = slotsSent(feed, transmission).flatMap((slot) =>
    itemsOf(feed, resource, slot, context),
  )
  const source = makeSource(feed.provider, feed.devices[0]?.type ?? 'unknown', context)
  const hasFinal = kind === 'history' && isSent(deprecations.isFinal, context)
  const isSingle =
    context.settings.summaryEvents === 'record' &&
    isSummary(resourceOfType(resource)) &&
    items.length === 1
  return {
    event_type,
    user_id: feed.userId,
    data: {
      data: isSingle ? items[0] : items,
      source,
      ...(hasFinal ? { is_final: true } : {}),
    },
  }
}
