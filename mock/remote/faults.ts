import * as z from 'zod/mini'
import { faultStateSchema } from '../control/responses.ts'
import { checkAllUsed } from '../errors.ts'
import type { Fault, FaultState } from '../faults/faults.ts'
import type { ControlClient } from './control-client.ts'
import { recordPath } from './records.ts'
import type { RemoteFault, RemoteFaults } from './remote-team.ts'

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
