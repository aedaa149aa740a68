import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { ControlArguments, ControlOutput, Send } from '../control/api.ts'
import type { ControlId } from '../control/routes.ts'
import { spanUnits } from '../shared/time-units.ts'
import { type ListedTeam, type Pulse, RequestError } from './api-client.ts'

export interface TeamContextValue {
  apiKey: string
  send: Send
  pulse: Pulse
  /** A string that changes whenever the team changes. */
  version: string
  /** Shows another team, which may have just been created. */
  selectTeam: (apiKey: string) => Promise<void>
  /** Runs an action, and shows the message or the error. Resolves to whether the action succeeded. */
  run: (message: string, action: () => Promise<unknown>) => Promise<boolean>
}

export interface PanelProps {
  teams: ListedTeam[]
  selectTeam: (apiKey: string) => void
}

// Every component that reads the context is inside its provider.
export const TeamContext = createContext<TeamContextValue>(undefined as unknown as TeamContextValue)

export function useTeam(): TeamContextValue {
  return useContext(TeamContext)
}

/** Returns a string that changes when the team changes. In `realtime` mode, changes to the virtual time are ignored. */
export function versionOf({ now, ...counts }: Pulse): string {
  return JSON.stringify(counts.mode === 'realtime' ? counts : { now, ...counts })
}

/**
 * Calls a control API operation, and calls it again after each change to the team. Returns undefined while the first
 * response is loading, and null if the request failed.
 */
export function useFetch<Id extends ControlId>(
  id: Id,
  ...[input, dependency]: [...ControlArguments<Id>, dependency?: unknown]
): ControlOutput<Id> | null | undefined {
  type Output = ControlOutput<Id>
  const { send, version } = useTeam()
  const [fetched, setFetched] = useState<{ call: string; send: Send; value: Output | null }>()
  const sequence = useRef({ sent: 0, shown: 0 })
  const call = JSON.stringify([id, input])
  useEffect(() => {
    sequence.current.sent += 1
    const number = sequence.current.sent
    const show = (value: Output | null) => {
      // The response to a later request is already shown.
      if (number < sequence.current.shown) return
      sequence.current.shown = number
      setFetched({ call, send, value })
    }
    // The input has the type that the operation requires.
    const given = (input ? [input] : []) as ControlArguments<Id>
    send(id, ...given).then(show, () => show(null))
  }, [send, call, version, dependency])
  return fetched?.call === call && fetched?.send === send ? fetched?.value : undefined
}

interface LivePulse {
  pulse: Pulse | undefined
  /** The last poll's error, or undefined if the poll succeeded. */
  problem: RequestError | undefined
  refresh: () => void
}

/** Polls the team's pulse every second, except while the page is paused or hidden. */
export function usePulse(send: Send, isPaused: boolean): LivePulse {
  const [pulse, setPulse] = useState<Pulse>()
  const [problem, setProblem] = useState<RequestError>()
  const refresh = useRef(() => {})
  const polled = useRef<Send | undefined>(undefined)
  useEffect(() => setPulse(undefined), [send])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let latest = 0
    const isLive = () => !isPaused && !document.hidden
    const poll = async () => {
      clearTimeout(timer)
      latest += 1
      const number = latest
      const result = await send('pulse').catch((error: RequestError) => error)
      // Another poll has started since, or the effect has ended.
      if (number !== latest) return
      const isError = result instanceof RequestError
      setProblem(isError ? result : undefined)
      if (!isError) setPulse(result)
      if (isLive()) timer = setTimeout(poll, spanUnits.s)
    }
    const resume = () => {
      if (isLive()) void poll()
    }
    refresh.current = () => void poll()
    document.addEventListener('visibilitychange', resume)
    // A paused page still loads a newly selected team once.
    if (isLive() || polled.current !== send) void poll()
    polled.current = send
    return () => {
      latest += 1
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', resume)
    }
  }, [send, isPaused])
  return { pulse, problem, refresh: () => refresh.current() }
}
