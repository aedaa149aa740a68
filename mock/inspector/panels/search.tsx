import type { SearchHit } from '../../control/search-text.ts'
import { linkTo, useAddress } from '../address.ts'
import { Empty, Loading, Panel } from '../components/panel.tsx'
import { escapeHidden, formatCount } from '../format.ts'
import { useFetch } from '../team-context.ts'

const kindTitles: Record<SearchHit['kind'], string> = {
  request: 'Requests',
  event: 'Events',
  record: 'Records',
  delivery: 'Deliveries',
}

export function SearchPanel() {
  const text = useAddress().query.get('search') ?? ''
  const hits = useFetch('search', { query: { text } })
  const byKind = [...Map.groupBy(hits ?? [], ({ kind }) => kind)]
  return (
    <Panel
      title="Search"
      hint={hits ? `${formatCount(hits.length, 'result')} for “${escapeHidden(text)}”` : ''}
    >
      {!hits && <Loading />}
      {hits?.length === 0 && (
        <Empty title="Nothing matches.">
          The search covers events, records, deliveries, and the ids, paths, bodies and headers of
          requests. A result contains every search word.
        </Empty>
      )}
      {byKind.map(([kind, found]) => (
        <section class="block" key={kind}>
          <h2>
            {kindTitles[kind]} <span class="count">{found.length}</span>
          </h2>
          <ul class="hits">
            {found.map((hit, index) => (
              <li key={`${hit.key} ${index}`}>
                <HitTitle {...hit} />
                <Excerpt text={hit.excerpt} search={text} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Panel>
  )
}

/** The collections whose records have a panel. */
const collectionPanels: readonly string[] = ['users', 'orders', 'appointments', 'connections']

function HitTitle(hit: SearchHit) {
  const [, id = ''] = hit.kind === 'record' ? splitLast(hit.key) : []
  const title = escapeHidden(id ? `${hit.title} ${id}` : hit.title)
  const address = hitAddress(hit)
  return address ? <a href={address}>{title}</a> : <span>{title}</span>
}

function hitAddress({ kind, key }: SearchHit): string | undefined {
  if (kind === 'request') return linkTo(['requests', key])
  if (kind === 'event') return linkTo(['events', key])
  if (kind === 'delivery') return linkTo(['webhooks', ...key.split('/')])
  const [collection, id] = splitLast(key)
  if (!collectionPanels.includes(collection)) return undefined
  return collection === 'orders' ? linkTo([collection, id]) : linkTo([collection])
}

/** Splits a record key, such as `catalogue/markers/7`, into its collection and id. */
function splitLast(key: string): [collection: string, id: string] {
  const at = key.lastIndexOf('/')
  return [key.slice(0, at), key.slice(at + 1)]
}

function Excerpt({ text, search }: { text: string; search: string }) {
  const words = search.split(/\s+/).filter((word) => word)
  const pattern = new RegExp(`(${words.map(escapePattern).join('|')})`, 'gi')
  return (
    <code class="excerpt">
      {escapeHidden(text)
        .split(pattern)
        .map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
    </code>
  )
}

function escapePattern(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
