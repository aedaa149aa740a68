import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { useAddress } from './address.ts'
import type { ListedTeam } from './api-client.ts'
import { controlClient, RequestError } from './api-client.ts'
import { Header, type TeamSelection } from './header.tsx'
import { Navigation, panelAt, panels } from './navigation.tsx'
import { SignInPage } from './sign-in.tsx'
import { TeamContext, type TeamContextValue, usePulse, versionOf } from './team-context.ts'

export function Inspector() {
  const [token, setToken] = useSessionStorage('token')
  const [selected, selectTeam] = useSessionStorage('team')
  const { teams, error, reloadTeams } = useTeams(token)
  if (error && !teams) {
    return <SignInPage error={error} token={token} setToken={setToken} retry={reloadTeams} />
  }
  const team = teams?.find(({ api_key }) => api_key === selected) ?? teams?.[0]
  if (!teams || !team) return null
  const selection = { apiKey: team.api_key, teams, selectTeam, reloadTeams }
  return <TeamInspector key={team.api_key} token={token} {...selection} />
}

function useSessionStorage(name: string): [string, (value: string) => void] {
  const [value, setValue] = useState(() => sessionStorage.getItem(name) ?? '')
  const store = (next: string) => {
    sessionStorage.setItem(name, next)
    setValue(next)
  }
  return [value, store]
}

function useTeams(token: string) {
  const [teams, setTeams] = useState<ListedTeam[]>()
  const [error, setError] = useState<RequestError>()
  const reloadTeams = useCallback(async () => {
    try {
      setTeams(await controlClient(token)('teams.list'))
      setError(undefined)
    } catch (reason) {
      if (reason instanceof RequestError) setError(reason)
    }
  }, [token])
  useEffect(() => void reloadTeams(), [reloadTeams])
  return { teams, error, reloadTeams }
}

function TeamInspector({ token, ...selection }: TeamSelection & { token: string }) {
  const { apiKey, teams, selectTeam, reloadTeams } = selection
  const send = useMemo(() => controlClient(token, apiKey), [token, apiKey])
  const [isPaused, setPaused] = useState(false)
  const { pulse, problem, refresh } = usePulse(send, isPaused)
  const { message, setMessage, run } = useRun(refresh)
  const route = useAddress()
  const panel = panelAt(route.panel)
  // While the team has no requests, reload the teams: the first request may have gone to another team.
  useEffect(() => {
    if (pulse?.requests === 0) void reloadTeams()
  }, [pulse, reloadTeams])
  const openTeam = async (next: string) => {
    await reloadTeams()
    selectTeam(next)
  }
  // Start recording the history when the page opens, and when the server becomes reachable again.
  const isReachable = problem === undefined
  useEffect(() => {
    if (isReachable) send('history.start').catch(() => {})
  }, [send, isReachable])
  const { Content } = panels[panel]
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Header
        {...selection}
        pulse={pulse}
        isPaused={isPaused}
        setPaused={setPaused}
        search={panel === 'search' ? (route.query.get('search') ?? '') : ''}
      />
      <Navigation pulse={pulse} panel={panel} />
      <main id="content" tabIndex={-1}>
        {problem && (
          <p class="banner" role="alert">
            {problem.message} {!isPaused && 'Retrying…'}
          </p>
        )}
        {pulse && (
          <TeamContext.Provider
            value={{ apiKey, send, pulse, version: versionOf(pulse), run, selectTeam: openTeam }}
          >
            <Content teams={teams} selectTeam={selectTeam} />
          </TeamContext.Provider>
        )}
      </main>
      <Notice message={message} close={() => setMessage(undefined)} />
    </>
  )
}

function useRun(refresh: () => void) {
  const [message, setMessage] = useState<Message>()
  const run: TeamContextValue['run'] = async (success, action) => {
    try {
      await action()
      setMessage({ text: success, isProblem: false })
      return true
    } catch (error) {
      setMessage({ text: error instanceof Error ? error.message : String(error), isProblem: true })
      return false
    } finally {
      refresh()
    }
  }
  return { message, setMessage, run }
}

interface Message {
  text: string
  isProblem: boolean
}

function Notice({ message, close }: { message: Message | undefined; close: () => void }) {
  useEffect(() => {
    const timer = setTimeout(close, message?.isProblem ? 15_000 : 5000)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <div class="notices" role="status">
      {message && (
        <p class={message.isProblem ? 'notice problem' : 'notice'}>
          <span>{message.text}</span>
          <button type="button" class="plain" aria-label="Close the notice" onClick={close}>
            ×
          </button>
        </p>
      )}
    </div>
  )
}
