import type { ComponentChildren } from 'preact'
import { escapeHidden } from '../format.ts'
import { useTeam } from '../team-context.ts'

/** Shows an id. A click copies the full id. */
export function CopyableId({ value }: { value: string }) {
  const { run } = useTeam()
  const shown = escapeHidden(value)
  const copy = () => run(`Copied ${shown}`, () => writeToClipboard(value))
  return (
    <button type="button" class="id" title={`Copy ${shown}`} onClick={copy}>
      {shown.length > 14 ? `${shown.slice(0, 8)}…` : shown}
    </button>
  )
}

/** Shows a name that may wrap after its dots. */
export function DottedName({ name }: { name: string }) {
  return (
    <code>
      {escapeHidden(name)
        .split('.')
        .flatMap((part, index) => (index === 0 ? [part] : ['.', <wbr key={index} />, part]))}
    </code>
  )
}

/** Browsers provide the clipboard only on localhost and on secure origins. */
async function writeToClipboard(text: string): Promise<void> {
  if (!navigator.clipboard) {
    throw new Error(
      'The clipboard is not available here. Open the inspector on localhost or over HTTPS.',
    )
  }
  await navigator.clipboard.writeText(text)
}

interface CopyButtonProps {
  /** The name of the copied string in the message, such as `curl command`. */
  name: string
  text: () => string | Promise<string>
  children: ComponentChildren
}

export function CopyButton({ name, text, children }: CopyButtonProps) {
  const { run } = useTeam()
  const copy = () => run(`Copied the ${name}.`, async () => writeToClipboard(await text()))
  return (
    <button type="button" onClick={copy}>
      {children}
    </button>
  )
}

interface NameValueListProps {
  caption?: string
  values: Readonly<Record<string, unknown>>
}

export function NameValueList({ caption, values }: NameValueListProps) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <>
      {caption && <h4>{caption}</h4>}
      <dl class="pairs">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{escapeHidden(name)}</dt>
            <dd>{escapeHidden(typeof value === 'string' ? value : JSON.stringify(value))}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
