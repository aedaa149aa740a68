import type { Instant, TimeSpan } from '../state/clock/time.ts'
import type {
  ArchiveCorruption,
  DriftEffect,
  NamedEffect,
  retryAfterForms,
} from './effect-names.ts'
import type { OperationPattern } from './operation-pattern.ts'

/** Selects the requests that a fault affects. Requests are counted per operation while the fault is active. */
export type FaultCondition =
  | {
      /** The number of requests to affect, starting with the first one; at least 1. */
      first: number
    }
  | {
      /** The number of the request to affect, starting at 1. */
      nth: number
    }
  | {
      /**
       * The probability that a request is affected, from 0 to 1. The mock's seed determines which requests are
       * affected.
       */
      probability: number
    }

/** Responds with a status in place of the service, as a gateway would. */
export interface StatusEffect {
  /** The status, from 200 to 599. */
  status: number
  /**
   * The body. A string is sent as plain text. Default: `{"detail": ...}`, or no body for 204, 205 and 304.
   */
  body?: unknown
  /**
   * The delay in the Retry-After header, such as `'1h'`, rounded up to whole seconds. A number is in milliseconds.
   * Default: no header.
   */
  retryAfter?: TimeSpan
  /** The format of the Retry-After header. A date is in virtual time. Default: `seconds`. */
  retryAfterAs?: (typeof retryAfterForms)[number]
}

/** The effect of a fault on a request. */
export type FaultEffect =
  | StatusEffect
  | NamedEffect
  | {
      /** How long to delay the request, in virtual time. */
      latency: TimeSpan
    }
  | {
      /** Above this rate, responds with 429 and a Retry-After header. */
      rateLimit: {
        /** The number of requests allowed per period, at least 0. */
        requests: number
        /** The period in virtual time, greater than 0. */
        per: TimeSpan
      }
    }
  | {
      /** The URL to redirect to, with status 307. */
      redirect: string
    }
  | {
      /** How to change the response. */
      drift: DriftEffect
    }
  | {
      /** How to corrupt the archive that replaces the response. */
      archive: ArchiveCorruption
    }

/** A failure that the mock simulates. */
export interface Fault {
  /** The affected operations. Default: every operation. */
  on?: OperationPattern
  /** The affected requests. Default: every request. */
  when?: FaultCondition
  /** The period of virtual time during which the fault is active. Default: always. */
  during?: {
    /** The start, inclusive. Default: unlimited. */
    from?: Instant
    /** The end, exclusive. Default: unlimited. */
    until?: Instant
  }
  /** The effect on each affected request. */
  then: FaultEffect
}
