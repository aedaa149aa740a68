import type { ExchangeResult } from '../../faults/effects.ts'
import type { IncomingRequest } from '../../http/request.ts'
import { Mock } from '../../mock.ts'
import type { Gate } from './gate.ts'

/** A mock whose requests pass a gate while a program runs. */
export class ExploredMock extends Mock {
  /** The gate of the run; requests before and after it are handled as usual. */
  gate: Pick<Gate, 'pass'> | undefined

  override handle(request: IncomingRequest, baseUrl: string): Promise<ExchangeResult> {
    const handle = async (passed: IncomingRequest) => super.handle(passed, baseUrl)
    return this.gate ? this.gate.pass(request, baseUrl, handle) : handle(request)
  }
}
