import * as z from 'zod/mini'
import { faultStateSchema } from '../control/responses.ts'
import { checkAllUsed } from '../errors.ts'
import type { Fault } from '../faults/fault.ts'
import type { FaultState } from '../faults/faults.ts'
import { recordPath } from './collection.ts'
import type { ControlClient } from './control-client.ts'

/** A fault of a team in another process. */
export interface RemoteFault {
  /** 1 for the team's first fault. */
  readonly id: number
  /** The fault as it was added. */
  readonly fault: Fault
  /** Returns the number of requests that it affected. */
  used(): Promise<number>
  /** Deletes the fault. */
  remove(): Promise<void>
}

/** The faults of a team in another process. */
export interface RemoteFaults {
  /** Adds a fault. */
  add(fault: Fault): Promise<RemoteFault>
  /** Returns the faults in insertion order. */
  list(): Promise<RemoteFault[]>
  /** Returns the faults that affected no request. */
  unused(): Promise<Fault[]>
  /**
   * Checks that every fault affected a request.
   *
   * @throws {MockError} `unused_faults` if one did not.
   */
  assertAllUsed(): Promise<void>
  /** Deletes every fault. */
  clear(): Promise<void>
}

type SentFault = Pick<FaultState, 'id' | 'used' | 'fault'>

/** Returns the faults of a team. */
export function remoteFaults(client: ControlClient): RemoteFaults {
  const list = () => client.read<SentFault[]>('GET /faults', z.array(faultStateSchema))
  const toRemote = ({ id, fault }: SentFault): RemoteFault => ({
    id,
    fault,
    used: async () => (await list()).find((added) => added.id === id)?.used ?? 0,
    remove: async () => void (await client.run(`DELETE ${recordPath('/faults', [id])}`)),
  })
  const unused = async (): Promise<Fault[]> =>
    (await list()).filter(({ used }) => used === 0).map(({ fault }) => fault)
  return {
    add: async (fault) =>
      toRemote(await client.read<SentFault>('POST /faults', faultStateSchema, fault)),
    list: async () => (await list()).map(toRemote),
    unused,
    assertAllUsed: async () => checkAllUsed(await unused()),
    clear: async () => void (await client.run('DELETE /faults')),
  }
}
