import { useEffect, useState } from 'preact/hooks'

/** Returns the panel and the detail of an address such as `#/requests/7`, and follows its changes. */
export function useRoute(): [panel: string, detail: string] {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    // Other fragments, such as `#content`, are ids of elements.
    const follow = () => location.hash.startsWith('#/') && setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const [, panel = '', detail = ''] = hash.split('/')
  return [panel, detail]
}
