import type { CallSite } from '../../src/shared/stack.ts'
import type { ControlOutput, Send } from '../control/api.ts'
import { checkAllUsed } from '../errors.ts'
import type { Fault } from '../faults/fault.ts'

/** A fault of a team in another process. */
export interface RemoteFault {
  /** The fault number, starting at 1 for each team. */
  readonly id: number
  /** The fault as added. */
  readonly fault: Fault
  /** Returns the number of requests that the fault affected. */
  useCount(): Promise<number>
  /** Removes the fault. */
  remove(): Promise<void>
}

/** The faults of a team in another process. */
export interface RemoteFaults {
  /** Adds a fault that affects later requests. */
  add(fault: Fault): Promise<RemoteFault>
  /** Returns the faults in insertion order. */
  list(): Promise<RemoteFault[]>
  /** Returns the faults that have not affected any request. */
  unused(): Promise<Fault[]>
  /**
   * Checks that every fault affected a request.
   *
   * @throws {MockError} `unused_faults` if a fault was unused. The error's stack contains the line that added the first
   * unused fault in this process.
   */
  assertAllUsed(): Promise<void>
  /** Removes all faults. */
  clear(): Promise<void>
}

export function remoteFaults(send: Send): RemoteFaults {
  const list = () => send('faults.list')
  const sites = new Map<number, CallSite>()
  const toRemote = ({ id, fault }: ControlOutput<'faults.add'>): RemoteFault => ({
    id,
    fault,
    useCount: async () => (await list()).find((added) => added.id === id)?.useCount ?? 0,
    remove: async () => void (await send('faults.remove', { params: { id } })),
  })
  const unused = async () => (await list()).filter(({ useCount }) => useCount === 0)
  return {
    add: async (fault) => {
      const site = new Error()
      const added = await send('faults.add', { body: fault })
      sites.set(added.id, site)
      return toRemote(added)
    },
    list: async () => (await list()).map(toRemote),
    unused: async () => (await unused()).map(({ fault }) => fault),
    assertAllUsed: async () => {
      const left = await unused()
      checkAllUsed(
        left.map(({ fault }) => fault),
        left.map(({ id }) => sites.get(id)),
      )
    },
    clear: () => send('faults.clear'),
  }
}
