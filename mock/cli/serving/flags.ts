import type { ClockMode } from '../../state/clock/clock-modes.ts'

/** How requests are logged. */
export const logFormats = ['lines', 'json', 'off'] as const

/** One of {@link logFormats}. */
export type LogFormat = (typeof logFormats)[number]

/** The flags of `health-lab-sdk mock`. */
export interface MockFlags {
  port: number
  host: string
  allowHost?: string[]
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
