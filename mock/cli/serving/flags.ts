import type { ClockMode } from '../../state/clock/clock-modes.ts'
import type { LogFormat } from './log-formats.ts'

/** The flags of `health-lab-sdk mock`. */
export interface MockFlags {
  port: number
  host: string
  seed: string
  now: string
  clock: ClockMode
  fixture?: string
  watch?: true
  state?: string
  autoTeamLimit: number
  strictKeys?: true
  cors?: true
  allowRemoteWebhooks?: true
  token?: string
  log?: LogFormat
  json?: true
}
