import * as z from 'zod/mini'
import { catalogueCollections, recordCollections } from '../../state/collection-names.ts'
import type { Team } from '../../team.ts'
import { type ControlOperation, operation } from '../endpoint.ts'
import { collectionPath } from '../paths.ts'
import { type hitKinds, searchHitSchema } from '../responses.ts'
import { requestText, textMatcher, textOf, wordsOf } from '../search-text.ts'

/** Something that contains every word of a search. */
export interface SearchHit {
  /** What was found: `request`, `event`, `record` or `delivery`. */
  kind: (typeof hitKinds)[number]
  /** The number of a request or event, `<collection>/<key>` of a record, `<webhook>/<event number>` of a delivery. */
  key: string
  /** Such as `orders.create 200` or `users`. */
  title: string
  /** The part of the record around the first word. */
  excerpt: string
}

/** The most hits of each kind. */
const hitLimit = 25
/** Bodies of events are made on reading, so only the latest ones are searched. */
const eventLimit = 1000

/** Finds ids, bodies and paths in everything that the team has. */
export const search: ControlOperation = operation(
  {
    id: 'search',
    method: 'GET',
    path: '/search',
    summary:
      'Finds the requests, the latest 1,000 events, records and deliveries that contain every word; the latest 25 of each kind first',
    query: z.object({ text: z.optional(z.string()) }),
    responses: { 200: z.array(searchHitSchema) },
  },
  (team, { query: { text = '' } }) => findAll(team, text),
)

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

/** Seeded records of the catalogue are found too; generated health data is not, because it is made on reading. */
function recordsOf(team: Team): Candidate[] {
  const collections = { ...team.state, ...team.catalogue }
  return [...catalogueCollections, ...recordCollections].flatMap((name) =>
    collections[name].list().map((record: object) => {
      const key = `${collectionPath(name).slice(1)}/${keyOf(record)}`
      return { kind: 'record' as const, key, title: name, text: textOf(record) }
    }),
  )
}

/** The fields that identify records, the first one that a record has. */
const keyFields = ['id', 'slug', 'payor_code', 'user_id']

function keyOf(record: object): string {
  const fields = new Map<string, unknown>(Object.entries(record))
  return String(fields.get(keyFields.find((field) => fields.has(field)) ?? '') ?? '')
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
