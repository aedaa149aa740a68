import type { Handlers } from '../handler.ts'
import type { faults } from '../operations/faults.ts'

export const faultsHandlers: Handlers<typeof faults> = {
  'faults.list': ({ faults }) => faults.list(),
  'faults.add': ({ faults }, { body }) => faults.add(body),
  'faults.remove': ({ faults }, { params }) => {
    const fault = faults.list().find(({ id }) => String(id) === params.id)
    fault?.remove()
    return { deleted: fault !== undefined }
  },
  'faults.clear': ({ faults }) => faults.clear(),
}
