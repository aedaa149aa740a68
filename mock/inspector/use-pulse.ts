import { useEffect, useRef, useState } from 'preact/hooks'
import type { Send } from '../control/api.ts'
import { spanUnits } from '../shared/time-units.ts'
import { type Pulse, RequestError } from './api-client.ts'

interface LivePulse {
  pulse: Pulse | undefined
  /** The last poll's error, or undefined if it succeeded. */
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
