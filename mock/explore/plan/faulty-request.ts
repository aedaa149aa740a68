import type { ExchangeResult } from '../../faults/effects.ts'
import type { Team } from '../../team.ts'

/** A request that arrives, and what a fault can do with it. */
export interface FaultyRequest {
  /** The team that the request is for. */
  team: Team
  /** The operation of the request. */
  operation: string
  /** Reads the body of the request; undefined without a body. */
  text(): Promise<string> | string | undefined
  /** Lets the service handle the request, maybe with another body. */
  handle(text?: FaultyRequest['text']): Promise<ExchangeResult>
  /** Waits for milliseconds of virtual time. */
  wait(milliseconds: number): Promise<void>
  /** Ends the program of the scenario. Nothing after it reaches the service. */
  crash(): Promise<never>
}
