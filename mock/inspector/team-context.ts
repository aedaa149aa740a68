import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Pulse } from '../control/operations/pulse.ts'
import type { ListedTeam } from '../control/operations/teams.ts'
import type { Send } from './api-client.ts'

/** The selected team. */
export interface TeamContextValue {
  apiKey: string
  /** Sends a request to the control API. */
  send: Send
  pulse: Pulse
  /** Changes with every change of the team. */
  version: string
  /** Shows another team, which may be new. */
  selectTeam: (apiKey: string) => Promise<void>
  /** Runs an action and shows the message or the error; resolves to whether the action succeeded. */
  run: (message: string, action: () => Promise<unknown>) => Promise<boolean>
}

/** The properties of each panel. */
export interface PanelProps {
  teams: ListedTeam[]
  selectTeam: (apiKey: string) => void
}

// Every component that reads the context is inside its provider.
export const TeamContext = createContext<TeamContextValue>(undefined as unknown as TeamContextValue)

/** Returns the selected team. */
export function useTeam(): TeamContextValue {
  return useContext(TeamContext)
}

/** Returns a string that changes when the team changes. The time of a clock in real time does not count. */
export function versionOf({ now, ...counts }: Pulse): string {
  return JSON.stringify(counts.mode === 'realtime' ? counts : { now, ...counts })
}

/**
 * Fetches a route of the control API, and again after each change of the team. Returns undefined while it is loading, and
 * null if the request failed.
 */
export function useFetch<T>(
  route: string | undefined,
  dependency: unknown = '',
): T | null | undefined {
  const { send, version } = useTeam()
  const [fetched, setFetched] = useState<{ route: string; send: Send; value: T | null }>()
  const sequence = useRef({ sent: 0, shown: 0 })
  useEffect(() => {
    if (!route) return
    sequence.current.sent += 1
    const number = sequence.current.sent
    const show = (value: T | null) => {
      // A later response is already on the page.
      if (number < sequence.current.shown) return
      sequence.current.shown = number
      setFetched({ route, send, value })
    }
    send<T>(route).then(show, () => show(null))
  }, [send, route, version, dependency])
  return fetched?.route === route && fetched?.send === send ? fetched?.value : undefined
}
