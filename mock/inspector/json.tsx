import { useState } from 'preact/hooks'
import { numberOf, visible } from './words.ts'

/** More lines than so many are shown only when asked for. */
const manyLines = 120

const tokens =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A value as JSON; bytes by their number. */
export function Json({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false)
  const { $bytes } = Object(value) as { $bytes?: unknown }
  if (typeof $bytes === 'string') {
    return <p class="hint">{numberOf(Math.floor(($bytes.length * 3) / 4))} bytes</p>
  }
  if (typeof value === 'string') return <pre class="json">{visible(value, isBreak)}</pre>
  const lines = visible(JSON.stringify(value, null, 2) ?? '', isBreak).split('\n')
  const shown = isWhole ? lines : lines.slice(0, manyLines)
  const left = lines.length - shown.length
  return (
    <>
      <pre class="json">{painted(shown.join('\n'))}</pre>
      {left > 0 && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          Show {numberOf(left)} more lines
        </button>
      )}
    </>
  )
}

function isBreak(letter: string): boolean {
  return letter === '\n'
}

/** JSON with its names, texts and other values told apart. */
function painted(json: string) {
  const parts = []
  let end = 0
  for (const match of json.matchAll(tokens)) {
    const [token, text, colon] = match
    parts.push(json.slice(end, match.index))
    const kind = text === undefined ? 'literal' : colon === undefined ? 'text' : 'name'
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
