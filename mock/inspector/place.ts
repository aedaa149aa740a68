import { useEffect, useState } from 'preact/hooks'
import type { ListedTeam } from '../control/operations/teams.ts'

/** What a panel may know of the other teams. */
export interface PanelProps {
  teams: ListedTeam[]
  choose: (apiKey: string) => void
}

/** The place in the address, and what follows it there, such as the number of a request. */
export function usePlace(): [place: string, detail: string] {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    // Other addresses are of elements of the page, to which the browser goes.
    const follow = () => location.hash.startsWith('#/') && setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const [, place = '', detail = ''] = hash.split('/')
  return [place, detail]
}
