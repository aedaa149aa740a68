import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Pulse } from '../control/operations/pulse.ts'
import { type Ask, Refused } from './control.ts'

/** The team that is looked at. */
export interface ShownTeam {
  apiKey: string
  ask: Ask
  pulse: Pulse
  /** Differs as soon as anything has happened. */
  stamp: string
  /** Does something, and tells that it is done or why not; false when it is not. */
  act: (done: string, step: () => Promise<unknown>) => Promise<boolean>
}

// Whatever reads it stands inside of a provider.
export const TeamContext = createContext<ShownTeam>(undefined as unknown as ShownTeam)

export function useTeam(): ShownTeam {
  return useContext(TeamContext)
}

/** Of a clock that runs by itself the time alone is no news. */
export function stampOf({ now, ...counts }: Pulse): string {
  return JSON.stringify(counts.mode === 'realtime' ? counts : { now, ...counts })
}

const second = 1000

interface Live {
  pulse: Pulse | undefined
  problem: Refused | undefined
  refresh: () => void
}

/** Asks for the pulse each second, while somebody looks. */
export function usePulse(ask: Ask, isPaused: boolean): Live {
  const [pulse, setPulse] = useState<Pulse>()
  const [problem, setProblem] = useState<Refused>()
  const refresh = useRef(() => {})
  useEffect(() => setPulse(undefined), [ask])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let turn = 0
    const tick = async () => {
      clearTimeout(timer)
      turn += 1
      const own = turn
      const found = await ask<Pulse>('GET /pulse').catch((error: Refused) => error)
      if (own !== turn) return
      if (found instanceof Refused) setProblem(found)
      else {
        setPulse(found)
        setProblem(undefined)
      }
      if (!isPaused && !document.hidden) timer = setTimeout(tick, second)
    }
    const look = () => {
      if (!document.hidden && !isPaused) void tick()
    }
    refresh.current = () => void tick()
    document.addEventListener('visibilitychange', look)
    void tick()
    return () => {
      turn += 1
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [ask, isPaused])
  return { pulse, problem, refresh: () => refresh.current() }
}

/**
 * What a route of the control API gives, read anew when something has happened; undefined until it is there, null when
 * it is refused.
 */
export function useRead<T>(route: string | undefined, also: unknown = ''): T | null | undefined {
  const { ask, stamp } = useTeam()
  const [found, setFound] = useState<{ route: string; ask: Ask; value: T | null }>()
  const turns = useRef({ asked: 0, shown: 0 })
  useEffect(() => {
    if (!route) return
    turns.current.asked += 1
    const turn = turns.current.asked
    const show = (value: T | null) => {
      // An answer that was overtaken tells of the past.
      if (turn < turns.current.shown) return
      turns.current.shown = turn
      setFound({ route, ask, value })
    }
    ask<T>(route).then(show, () => show(null))
  }, [ask, route, stamp, also])
  return found?.route === route && found?.ask === ask ? found?.value : undefined
}
