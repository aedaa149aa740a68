import { type AggregateResult, queryAggregate } from '../../../src/contract/aggregate.ts'
import { MockError } from '../../errors.ts'
import { loadRoutes } from '../../routes/load-routes.ts'
import { collectionsOf } from '../../state/collections/collections.ts'
import { collectionNames } from '../../state/records/paths.ts'
import { keyPartsOf } from '../../state/records/record-key.ts'
import type { Team } from '../../team.ts'
import type { Handlers } from '../handler.ts'
import type { reads } from '../operations/team.ts'
import { collectionPath } from '../routes.ts'
import type { SearchHit } from '../search-text.ts'
import { requestText, textMatcher, textOf, wordsOf } from '../search-text.ts'

/** The most hits of each kind. */
const hitLimit = 25
/** Event bodies are created when they are read, so only the latest events are searched. */
const eventLimit = 1000

/** Operations that read the team without leaving a trace in the journal. */
export const readsHandlers: Handlers<typeof reads> = {
  search: (team, { query: { text = '' } }) => findAll(team, text),
  'users.aggregate': async ({ users, state: world }, { params, body }) => {
    // The service would create the user.
    if (!users.has(params.user_id)) throw new MockError('unknown_record', 'No user has this key.')
    const routeOf = await loadRoutes()
    const { run } = routeOf({ endpoint: queryAggregate })
    const context = { request: { headers: {}, signal: undefined }, world, entry: { number: 0 } }
    // The endpoint states what its route returns.
    return (await run({ params, query: {}, body }, context)).body as AggregateResult
  },
}

type Candidate = Omit<SearchHit, 'excerpt'> & { text: string }

function findAll(team: Team, text: string): SearchHit[] {
  const words = wordsOf(text)
  if (words.length === 0) return []
  const matches = textMatcher(text)
  const kinds = [requestsOf(team), eventsOf(team), recordsOf(team), deliveriesOf(team)]
  return kinds.flatMap((candidates) =>
    candidates
      .filter((candidate) => matches(() => `${candidate.title} ${candidate.key} ${candidate.text}`))
      .slice(-hitLimit)
      .reverse()
      .map(({ text: found, ...hit }) => ({ ...hit, excerpt: excerptOf(found, words[0] ?? '') })),
  )
}

function requestsOf({ journal }: Team): Candidate[] {
  return journal.requests().map((entry) => {
    const { number, operation, method, path, response, outcome } = entry
    const title = `${operation ?? `${method} ${path}`} ${response?.status ?? outcome}`
    return { kind: 'request', key: String(number), title, text: requestText(entry) }
  })
}

function eventsOf({ state: { outbox } }: Team): Candidate[] {
  const latest = outbox.listAfter(Math.max(0, outbox.count - eventLimit))
  return latest.map(({ number, id, event_type, body }) => {
    return { kind: 'event', key: String(number), title: event_type, text: `${id} ${textOf(body)}` }
  })
}

/** Seeded catalogue records are found too; generated health data is not, because it is created when it is read. */
function recordsOf({ state }: Team): Candidate[] {
  const collections = collectionsOf(state)
  return collectionNames.flatMap((name) =>
    collections[name].list().map((record) => {
      const [first = ''] = keyPartsOf(name, record)
      const key = `${collectionPath(name).slice(1)}/${first}`
      return { kind: 'record' as const, key, title: name, text: textOf(record) }
    }),
  )
}

function deliveriesOf({ webhooks }: Team): Candidate[] {
  return webhooks.list().flatMap((webhook) =>
    webhook.exchanges().map(({ number, id, event_type, attempt, outcome, request, response }) => {
      const title = `${event_type}, attempt ${attempt} ${outcome}`
      const text = `${id} ${textOf({ body: request.body, response })}`
      return { kind: 'delivery' as const, key: `${webhook.id}/${number}`, title, text }
    }),
  )
}

/** Characters before and after the first word. */
const around = 60

function excerptOf(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word))
  const start = Math.max(0, at - around)
  return text.slice(start, at + word.length + around)
}
