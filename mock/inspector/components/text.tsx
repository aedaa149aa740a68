import { escapeHidden } from '../format.ts'
import { useTeam } from '../team-context.ts'

/** Shows the first characters of an id; a click copies all of it. */
export function CopyableId({ value }: { value: string }) {
  const { run } = useTeam()
  const shown = escapeHidden(value)
  const copy = () =>
    run(`Copied ${shown}`, async () => {
      // Browsers offer the clipboard on localhost and on secure origins only.
      await navigator.clipboard?.writeText(value).catch(() => {})
    })
  return (
    <button type="button" class="id" title={`Copy ${shown}`} onClick={copy}>
      {shown.length > 14 ? `${shown.slice(0, 8)}…` : shown}
    </button>
  )
}

/** Shows a name such as `daily.data.sleep.created`, with possible line breaks after its dots. */
export function DottedName({ name }: { name: string }) {
  return (
    <code>
      {escapeHidden(name)
        .split('.')
        .flatMap((part, index) => (index === 0 ? [part] : ['.', <wbr key={index} />, part]))}
    </code>
  )
}
