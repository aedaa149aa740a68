import type { Change } from '../../state/collections/collection.ts'
import { escapeHidden } from '../format.ts'
import { JsonView } from './json.tsx'
import { Details } from './panel.tsx'
import { Status } from './status.tsx'

export function ChangeView({ change }: { change: Change }) {
  const { collection, action, key, before, after } = change
  const title = (
    <>
      <Status value={action} /> <code>{collection}</code>{' '}
      <span class="hint">{escapeHidden(key)}</span>
    </>
  )
  return (
    <Details title={title}>
      {before && after ? (
        <Differences before={before} after={after} />
      ) : (
        <JsonView value={after ?? before} />
      )}
    </Details>
  )
}

function Differences({ before, after }: { before: object; after: object }) {
  const earlier = new Map<string, unknown>(Object.entries(before))
  const differing = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(earlier.get(name)),
  )
  return (
    <dl class="pairs">
      {differing.map(([name, value]) => (
        <div key={name}>
          <dt>{escapeHidden(name)}</dt>
          <dd>
            <del>{shortJson(earlier.get(name))}</del> <span aria-hidden="true">→</span>{' '}
            <ins>{shortJson(value)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function shortJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'absent'
  return escapeHidden(json.length > 300 ? `${json.slice(0, 300)}…` : json)
}
