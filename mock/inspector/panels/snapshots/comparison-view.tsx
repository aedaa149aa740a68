import { ChangeView } from '../../components/change.tsx'
import { Empty } from '../../components/panel.tsx'
import { escapeHidden, formatCount } from '../../format.ts'
import type { Comparison } from './compare.ts'

/** The maximum number of changes that are shown. */
const changeLimit = 200

/** Shows what differs between two snapshots. */
export function ComparisonView({ changes, facts }: Comparison) {
  if (changes.length === 0 && facts.length === 0) return <Empty title="Nothing differs." />
  return (
    <div class="comparison">
      <dl class="pairs">
        {facts.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <del>{escapeHidden(before)}</del> <span aria-hidden="true">→</span>{' '}
              <ins>{escapeHidden(after)}</ins>
            </dd>
          </div>
        ))}
      </dl>
      <h3>{formatCount(changes.length, 'record')}</h3>
      {changes.slice(0, changeLimit).map((change) => (
        <ChangeView key={`${change.collection} ${change.key}`} change={change} />
      ))}
      {changes.length > changeLimit && <p class="hint">Showing the first {changeLimit}.</p>}
    </div>
  )
}
