import { useState } from 'preact/hooks'
import { escapeHidden, formatNumber } from '../format.ts'

/** The number of lines shown before the user expands the value. */
const shownLines = 120

const tokens =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Shows a value as JSON. For bytes, shows only their number. */
export function JsonView({ value }: { value: unknown }) {
  const [isExpanded, setExpanded] = useState(false)
  const { $bytes }: { $bytes?: unknown } = Object(value)
  if (typeof $bytes === 'string') {
    return <p class="hint">{formatNumber(Math.floor(($bytes.length * 3) / 4))} bytes</p>
  }
  if (typeof value === 'string') return <pre class="json">{escapeHidden(value, isLineBreak)}</pre>
  const lines = escapeHidden(JSON.stringify(value, null, 2) ?? '', isLineBreak).split('\n')
  const shown = isExpanded ? lines : lines.slice(0, shownLines)
  const hiddenLines = lines.length - shown.length
  return (
    <>
      <pre class="json">{highlight(shown.join('\n'))}</pre>
      {hiddenLines > 0 && (
        <button type="button" class="plain" onClick={() => setExpanded(true)}>
          Show {formatNumber(hiddenLines)} more lines
        </button>
      )}
    </>
  )
}

function isLineBreak(character: string): boolean {
  return character === '\n'
}

function highlight(json: string) {
  const parts = []
  let end = 0
  for (const match of json.matchAll(tokens)) {
    const [token, string, colon] = match
    parts.push(json.slice(end, match.index))
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'name'
    parts.push(
      <span key={match.index} class={kind}>
        {token}
      </span>,
    )
    end = match.index + token.length
  }
  parts.push(json.slice(end))
  return parts
}
