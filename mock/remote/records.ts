import type { Appointment } from '../../src/contract/appointments.ts'
import { jsonObjectSchema } from '../base/schemas.ts'
import { collectionPath } from '../control/paths.ts'
import {
  type CollectionName,
  catalogueCollections,
  recordCollections,
} from '../state/collection-names.ts'
import type { LabOrder } from '../state/records/orders.ts'
import { type AnyRemoteCollection, recordPath, remoteCollection } from './collection.ts'
import type { ControlClient } from './control-client.ts'
import type { RemoteTeam } from './remote-team.ts'

type Records = Pick<RemoteTeam, (typeof recordCollections)[number] | 'catalogue'>

/** Returns the collections of a team. */
export function remoteRecords(client: ControlClient): Records {
  // `RemoteTeam` states the types of the records; every collection has the same methods.
  const records = remoteCollections(client, recordCollections) as unknown as Records
  const catalogue = remoteCollections(
    client,
    catalogueCollections,
  ) as unknown as Records['catalogue']
  return {
    ...records,
    catalogue,
    orders: {
      ...records.orders,
      complete: async (id, options = {}) =>
        client.read<LabOrder>(
          `POST ${recordPath('/orders', [id])}/complete`,
          jsonObjectSchema,
          options,
        ),
    },
    appointments: {
      ...records.appointments,
      transition: async (id, status, changes) => {
        const route = `POST ${recordPath('/appointments', [id])}/transition`
        return client.read<Appointment>(route, jsonObjectSchema, { status, changes })
      },
    },
  }
}

function remoteCollections(
  client: ControlClient,
  names: readonly CollectionName[],
): Record<string, AnyRemoteCollection> {
  return Object.fromEntries(
    names.map((name) => [name, remoteCollection(client, collectionPath(name))]),
  )
}
