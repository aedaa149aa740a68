import { useEffect, useState } from 'preact/hooks'

/** The parts of an address such as `#/requests/7?search=lost`. */
export interface Address {
  panel: string
  /** The parts after the panel, such as a request number. */
  path: readonly string[]
  query: URLSearchParams
}

export function useAddress(): Address {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    // Other fragments, such as `#content`, are element ids.
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

/** Decodes a part, but returns an invalid part unchanged, because users can type any address. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Returns the inspector address for the parts of a path. If `isFiltered` is true, the address includes the current
 * filters.
 */
export function linkTo(parts: readonly (string | number)[], isFiltered = false): string {
  const search = isFiltered ? location.hash.split('?')[1] : undefined
  return `#/${parts.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`
}

/** Changes a filter in the address without adding an entry to the browser's history. */
export function setFilter(name: string, value: string): void {
  const [address = '', search = ''] = location.hash.split('?')
  const query = new URLSearchParams(search)
  if (value) query.set(name, value)
  else query.delete(name)
  const hash = query.size > 0 ? `${address}?${query}` : address
  history.replaceState(null, '', hash)
  // `replaceState` does not dispatch a `hashchange` event.
  dispatchEvent(new HashChangeEvent('hashchange'))
}
