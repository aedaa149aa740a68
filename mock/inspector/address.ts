import { useEffect, useState } from 'preact/hooks'

/** What an address such as `#/requests/7?search=lost` shows. */
export interface Address {
  /** The panel's name. */
  panel: string
  /** The parts after the panel, such as the number of a request. */
  path: readonly string[]
  /** The filters. */
  query: URLSearchParams
}

/** Returns the route of the address, and follows its changes. */
export function useAddress(): Address {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    // Other fragments, such as `#content`, are ids of elements.
    const follow = () => location.hash.startsWith('#/') && setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return routeOf(hash)
}

function routeOf(hash: string): Address {
  const [address = '', search = ''] = hash.replace('#/', '').split('?')
  const [panel = '', ...path] = address.split('/').map(decodePart)
  return { panel, path, query: new URLSearchParams(search) }
}

/** A person may type any address. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the address of a panel, or of something in it. The filters of the current address stay. */
export function linkTo(parts: readonly (string | number)[], isFiltered = false): string {
  const search = isFiltered ? location.hash.split('?')[1] : undefined
  return `#/${parts.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`
}

/** Sets or removes a filter of the address without a new entry in the browser's history. */
export function setFilter(name: string, value: string): void {
  const [address = '', search = ''] = location.hash.split('?')
  const query = new URLSearchParams(search)
  if (value) query.set(name, value)
  else query.delete(name)
  const hash = query.size > 0 ? `${address}?${query}` : address
  history.replaceState(null, '', hash)
  // Replacing the address calls no listener.
  dispatchEvent(new HashChangeEvent('hashchange'))
}
