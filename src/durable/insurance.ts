import type { ServiceClient } from '../client/client.ts'
import { copyJson } from '../client/copy-input.ts'
import { withCallSite } from '../client/errors/call-site.ts'
import { ServiceError } from '../client/errors/service-error.ts'
import { copyOptions } from '../client/options/copy-options.ts'
import type { Insurance, InsuranceInput } from '../contract/insurance.ts'
import { hadNoEffect } from './durable-error.ts'
import type { HeldWrite } from './held-write.ts'
import type { DurableRequestOptions } from './orders.ts'
import { runWrite } from './run-or-take-over.ts'
import type { RunEnd, TimeLeft, WriteTools } from './write.ts'

/** The durable write for insurance. */
export interface DurableInsurance {
  /**
   * Creates a user's insurance once. The service has no endpoint that returns insurance records. After a crash, an
   * unknown outcome or an invalid response, the write is therefore unresolved, and a person must check it.
   *
   * @param id Your own id for the insurance record: 1 to 255 characters, without personal data.
   * @param userId The user's id.
   * @throws {DurableError}
   * @throws {ServiceError} when nothing was created. The id may be reused unless another process took over.
   * @example
   * await writes.insurance.create('insurance-4711', userId, insurance)
   */
  create(
    id: string,
    userId: string,
    insurance: InsuranceInput,
    options?: DurableRequestOptions,
  ): Promise<Insurance>
}

export function durableInsurance(client: ServiceClient, tools: WriteTools): DurableInsurance {
  return {
    create: (id, user, insurance, given) => {
      const options = withCallSite(copyOptions(given))
      const userId = copyJson(user)
      const { whenBusy, ...call } = options
      const input = copyJson(insurance)
      const send = async (_: HeldWrite, left: TimeLeft): Promise<RunEnd<Insurance>> => {
        try {
          const limited = { ...call, deadline: left() ?? call.deadline }
          return { state: 'done', result: await client.insurance.create(userId, input, limited) }
        } catch (cause) {
          if (!(cause instanceof ServiceError) || hadNoEffect(cause)) throw cause
          return { state: 'unresolved', cause }
        }
      }
      const recover = async (): Promise<RunEnd<Insurance>> => ({ state: 'unresolved' })
      const write = { id, operation: 'insurance.create', input: { userId, insurance: input } }
      return runWrite(
        { ...write, options, deadline: call.deadline, send, recover, isSentOnce: true },
        tools,
      )
    },
  }
}
