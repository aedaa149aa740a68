import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { ListedTeam } from '../control/operations/teams.ts'
import { Admission } from './admission.tsx'
import { asking, Refused } from './control.ts'
import { Header } from './header.tsx'
import { Navigation, panelAt, panels } from './navigation.tsx'
import { usePlace } from './place.ts'
import { type ShownTeam, stampOf, TeamContext, usePulse } from './team.ts'

/** What the tab remembers until it is closed. */
function useRemembered(name: string): [string, (value: string) => void] {
  const [value, setValue] = useState(() => sessionStorage.getItem(name) ?? '')
  const remember = (next: string) => {
    sessionStorage.setItem(name, next)
    setValue(next)
  }
  return [value, remember]
}

/** The inspector: who may look, at which team, and at what of it. */
export function Inspector() {
  const [token, setToken] = useRemembered('token')
  const [chosen, choose] = useRemembered('team')
  const [teams, setTeams] = useState<ListedTeam[]>()
  const [refusal, setRefusal] = useState<Refused>()
  const readTeams = useCallback(async () => {
    try {
      setTeams(await asking(token)<ListedTeam[]>('GET /teams'))
      setRefusal(undefined)
    } catch (error) {
      if (error instanceof Refused) setRefusal(error)
    }
  }, [token])
  useEffect(() => void readTeams(), [readTeams])
  if (refusal && !teams) {
    return <Admission refusal={refusal} token={token} enter={setToken} retry={readTeams} />
  }
  const shown = teams?.find(({ api_key }) => api_key === chosen) ?? teams?.[0]
  if (!teams || !shown) return null
  const { api_key } = shown
  return (
    <TeamView
      key={api_key}
      token={token}
      apiKey={api_key}
      teams={teams}
      choose={choose}
      readTeams={readTeams}
    />
  )
}

interface Said {
  text: string
  isProblem: boolean
}

interface TeamViewProps {
  token: string
  apiKey: string
  teams: ListedTeam[]
  choose: (apiKey: string) => void
  readTeams: () => Promise<void>
}

function TeamView({ token, apiKey, teams, choose, readTeams }: TeamViewProps) {
  const ask = useMemo(() => asking(token, apiKey), [token, apiKey])
  const [isPaused, setPaused] = useState(false)
  const [said, setSaid] = useState<Said>()
  const { pulse, problem, refresh } = usePulse(ask, isPaused)
  const place = panelAt(usePlace()[0])
  const act: ShownTeam['act'] = async (done, step) => {
    try {
      await step()
      setSaid({ text: done, isProblem: false })
      return true
    } catch (error) {
      setSaid({ text: error instanceof Error ? error.message : String(error), isProblem: true })
      return false
    } finally {
      refresh()
    }
  }
  const isIdle = pulse?.requests === 0
  // Somebody waits for the first request, which another team may have made.
  useEffect(() => {
    if (isIdle && pulse) void readTeams()
  }, [isIdle, pulse, readTeams])
  const { Content } = panels[place]
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Header
        apiKey={apiKey}
        teams={teams}
        choose={choose}
        readTeams={readTeams}
        pulse={pulse}
        isPaused={isPaused}
        setPaused={setPaused}
      />
      <Navigation pulse={pulse} place={place} />
      <main id="content" tabIndex={-1}>
        {problem && (
          <p class="banner" role="alert">
            {problem.message} {!isPaused && 'Trying again…'}
          </p>
        )}
        {pulse && (
          <TeamContext.Provider value={{ apiKey, ask, pulse, stamp: stampOf(pulse), act }}>
            <Content teams={teams} choose={choose} />
          </TeamContext.Provider>
        )}
      </main>
      <Notice said={said} close={() => setSaid(undefined)} />
    </>
  )
}

/** What came of the last thing that was done. */
function Notice({ said, close }: { said: Said | undefined; close: () => void }) {
  const isProblem = said?.isProblem ?? false
  useEffect(() => {
    const timer = setTimeout(close, isProblem ? 15_000 : 5000)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <div class="notices" role="status">
      {said && (
        <p class={said.isProblem ? 'notice problem' : 'notice'}>
          <span>{said.text}</span>
          <button type="button" class="plain" aria-label="Close the notice" onClick={close}>
            ×
          </button>
        </p>
      )}
    </div>
  )
}
