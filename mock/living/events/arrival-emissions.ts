import { deprecations } from '../../../src/contract/values/deprecations.ts'
import { dataEventType } from '../../events/bodies.ts'
import { resourceOfType } from '../../events/chunk.ts'
import { isSent } from '../../state/collections/source.ts'
import type { Settings } from '../../state/defaults.ts'
import type { Feed } from '../arrivals/feed.ts'
import type { FeedMoment } from '../arrivals/moments.ts'
import { type Transmission, transmissionsAt } from '../arrivals/transmissions.ts'

export interface ArrivalEmission {
  kind: 'arrival'
  event_type: string
  user_id: string
  feed: number
  transmission: Transmission
  /** Whether the event ends a historical pull and contains no data. Default: false. */
  isNotice?: boolean
}

export function emissionsOfMoment(
  feed: Feed,
  moment: FeedMoment,
  settings: Settings,
): ArrivalEmission[] {
  const dated = { settings, clock: { moment: moment.at } }
  const hasHypnogram = isSent(deprecations.hypnogram, dated)
  const isNotice = settings.historicalEvents === 'notice'
  const chunkSize = settings.summaryEvents === 'record' ? 1 : undefined
  const transmissions = transmissionsAt(feed, moment, chunkSize).filter(
    ({ resource, kind }) =>
      (resource !== 'hypnogram' || hasHypnogram) && !(isNotice && kind === 'chunk'),
  )
  return transmissions.map((transmission) => emissionOf(feed, transmission, isNotice))
}

function emissionOf(
  { number, userId }: Feed,
  transmission: Transmission,
  isNotice: boolean,
): ArrivalEmission {
  const emission = {
    kind: 'arrival' as const,
    event_type: typeOf(transmission),
    user_id: userId,
    feed: number,
    transmission,
  }
  return isNotice && transmission.kind === 'history' ? { ...emission, isNotice } : emission
}

function typeOf({ kind, resource }: Transmission): string {
  if (kind === 'connected') return 'provider.connection.created'
  if (kind === 'failed') return 'provider.connection.error'
  const name = resourceOfType(resource)
  if (kind === 'history') return dataEventType('historical', name, 'created')
  return dataEventType('daily', name, kind === 'updated' ? 'updated' : 'created')
}
