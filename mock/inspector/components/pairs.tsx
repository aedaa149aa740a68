import { escapeHidden } from '../format.ts'

interface NameValueListProps {
  caption?: string
  values: Readonly<Record<string, unknown>>
}

/** Shows names with their values; nothing without any. */
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
