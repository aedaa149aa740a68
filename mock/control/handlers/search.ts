import { type AggregateResult, queryAggregate } from '../../../src/contract/aggregate.ts'
import { MockError } from '../../errors.ts'
import { loadRoutes } from '../../routes/load-routes.ts'
import { Slices } from '../../shared/slices.ts'
import { collectionsOf } from '../../state/collections/collections.ts'
import { collectionNames } from '../../state/records/paths.ts'
import { keyPartsOf } from '../../state/records/record-key.ts'
import type { Team } from '../../team.ts'
import type { Handlers } from '../handler.ts'
import type { reads } from '../operations/team.ts'
import { collectionPath } from '../routes.ts'
import type { SearchHit } from '../search-text.ts'
import { filterByText, requestText, textOf, wordsOf } from '../search-text.ts'

const hitsPerKind = 25
/** The number of latest events to search. It is limited, because event bodies are created on each read. */
const eventLimit = 1000

export const readsHandlers: Handlers<typeof reads> = {
  search: (team, { query: { text = '' } }) => findAll(team, text),
  'users.aggregate': async ({ users, state: world }, { params, body }) => {
    // Check that the user exists, because the route would create a missing one.
    if (!users.has(params.user_id))
      throw new MockError('unknown_record', 'No user has this id. Use an id from users.list().')
    const routeOf = await loadRoutes()
    const { run } = routeOf({ endpoint: queryAggregate })
    const context = { request: { headers: {}, signal: undefined }, world, entry: { number: 0 } }
    // The route returns the type that its endpoint declares.
    return (await run({ params, query: {}, body }, context)).body as AggregateResult
  },
}

type Candidate = Omit<SearchHit, 'excerpt'> & { text: string }

async function findAll(team: Team, text: string): Promise<SearchHit[]> {
  const [word] = wordsOf(text)
  if (word === undefined) return []
  const slices = new Slices(team.state.clock.interruption)
  const hits: SearchHit[] = []
  for (const candidates of [
    requestsOf(team),
    eventsOf(team),
    recordsOf(team),
    deliveriesOf(team),
  ]) {
    const found = await filterByText(
      candidates,
      (candidate) => `${candidate.title} ${candidate.key} ${candidate.text}`,
      text,
      slices,
    )
    const latest = found.slice(-hitsPerKind).reverse()
    hits.push(...latest.map(({ text, ...hit }) => ({ ...hit, excerpt: excerptOf(text, word) })))
  }
  return hits
}

function* requestsOf({ journal }: Team): Generator<Candidate> {
  for (const entry of journal.requests()) {
    const { number, operation, method, path, response, outcome } = entry
    const title = `${operation ?? `${method} ${path}`} ${response?.status ?? outcome}`
    yield { kind: 'request', key: String(number), title, text: requestText(entry) }
  }
}

function* eventsOf({ state: { outbox } }: Team): Generator<Candidate> {
  for (const event of outbox.eachAfter(Math.max(0, outbox.count - eventLimit))) {
    const { number, id, event_type, body } = event
    yield { kind: 'event', key: String(number), title: event_type, text: `${id} ${textOf(body)}` }
  }
}

/**
 * Yields the records to search. Includes the initial catalogue, but not generated health data, which is created only when
 * it is read.
 */
function* recordsOf({ state }: Team): Generator<Candidate> {
  const collections = collectionsOf(state)
  for (const name of collectionNames) {
    for (const record of collections[name].list()) {
      const [first = ''] = keyPartsOf(name, record)
      const key = `${collectionPath(name).slice(1)}/${first}`
      yield { kind: 'record', key, title: name, text: textOf(record) }
    }
  }
}

function* deliveriesOf({ webhooks }: Team): Generator<Candidate> {
  for (const webhook of webhooks.list()) {
    for (const exchange of webhook.exchanges()) {
      const { number, id, event_type, attempt, outcome, request, response } = exchange
      const title = `${event_type}, attempt ${attempt} ${outcome}`
      const text = `${id} ${textOf({ body: request.body, response })}`
      yield { kind: 'delivery', key: `${webhook.id}/${number}`, title, text }
    }
  }
}

const charactersAround = 60

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word))
  const start = Math.max(0, at - charactersAround)
  return text.slice(start, at + word.length + charactersAround)
}
