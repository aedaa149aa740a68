import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Returns a ref for an element, and the width of the element in whole pixels, at least 240. */
export function useWidth() {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const update = () => setWidth(Math.max(240, Math.floor(current.clientWidth)))
    const observer = new ResizeObserver(update)
    update()
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
