import type { ComponentChildren } from 'preact'
import { useTeam } from '../team-context.ts'

interface CopyButtonProps {
  /** What is copied, such as `curl command`. */
  name: string
  /** Returns the string to copy. */
  text: () => string | Promise<string>
  children: ComponentChildren
}

/** Copies a string. Browsers offer the clipboard on localhost and on secure origins only. */
export function CopyButton({ name, text, children }: CopyButtonProps) {
  const { run } = useTeam()
  const copy = () =>
    run(`Copied the ${name}.`, async () => {
      const value = await text()
      if (!navigator.clipboard) {
        throw new Error('This browser offers no clipboard here. Open the inspector on localhost.')
      }
      await navigator.clipboard.writeText(value)
    })
  return (
    <button type="button" onClick={copy}>
      {children}
    </button>
  )
}
