import { useEffect, useRef, useState } from 'preact/hooks'

interface SearchBoxProps {
  label: string
  value: string
  /** Called shortly after the user stops typing, or immediately when Enter is pressed. */
  search: (value: string) => void
  /** The key that moves the focus to the search box from anywhere on the page. */
  hotkey?: string
}

/** The time between the last key press and the search, in milliseconds. */
const pause = 200

export function SearchBox({ label, value, search, hotkey }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const isOwn = useRef(value)
  // Show a value that was changed from outside, for example by the back button.
  useEffect(() => {
    if (value !== isOwn.current) setText(value)
    isOwn.current = value
  }, [value])
  const submit = (next: string) => {
    isOwn.current = next
    search(next)
  }
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => submit(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  useHotkey(hotkey, () => input.current?.select())
  return (
    <input
      ref={input}
      type="search"
      aria-label={label}
      aria-keyshortcuts={hotkey}
      placeholder={hotkey ? `${label} (${hotkey})` : label}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && submit(text)}
    />
  )
}

/** Calls `act` when the hotkey is pressed, except in inputs. */
function useHotkey(hotkey: string | undefined, act: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      const isTyping = target instanceof Element && target.matches('input, select, textarea')
      if (key !== hotkey || isTyping || ctrlKey || metaKey || altKey) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [hotkey])
}
