import { before, changeResponses, type Json, type Mutant, rejectCalls, stick } from '../mutant.ts'

const summaries = /^GET \/v2\/summary\//
const profile = /^GET \/v2\/summary\/profile\//

/** Changes every record of a response, the profile included. */
function records(change: (record: Json) => void) {
  return changeResponses(summaries, (body) => {
    const list = Object.values<Json>(body).find(Array.isArray) ?? [body]
    list.forEach(change)
  })
}

export const summariesMutants: Mutant[] = [
  {
    name: 'returns summaries without the provider of their source',
    rule: '2.9/source',
    between: records(({ source }) => delete source.provider),
  },
  {
    name: 'returns summaries without a source',
    rule: '2.9/source',
    between: records((record) => delete record.source),
  },
  {
    name: 'returns the source as a string',
    rule: '2.9/source',
    between: records((record) => {
      record.source = record.source.provider
    }),
  },
  {
    name: 'returns summaries without the type of their source',
    rule: '2.8/fields',
    only: ['2.9'],
    between: records(({ source }) => delete source.type),
  },
  {
    name: 'returns one app for all sources',
    rule: '2.8/fields',
    only: ['2.9'],
    between: records(({ source }) => {
      source.app_id = 'com.example.app'
    }),
  },
  {
    name: 'returns the name of a provider for its slug',
    rule: '2.8/fields',
    only: ['2.9'],
    between: records(({ source }) => {
      source.provider = source.provider[0].toUpperCase() + source.provider.slice(1)
    }),
  },
  {
    name: 'returns the same source for all summaries',
    rule: '2.9/source',
    between: records((record) => {
      record.source = { provider: 'oura', type: 'ring', app_id: null }
    }),
  },
  {
    name: 'returns the summaries of the first user for every other',
    rule: '4.12/summaries',
    only: ['2.9'],
    between: stick(summaries, ({ url }) => url.pathname.split('/')[3]),
  },
  {
    name: "returns another team's summaries",
    rule: '5/team-key',
    only: ['2.9'],
    between: before(summaries, ({ headers }, key) => headers.set('x-service-api-key', key)),
  },
  {
    name: 'returns only the first summary',
    rule: '4.12/summaries',
    only: ['2.9'],
    between: changeResponses(summaries, (body) => {
      const list = Object.values<Json>(body).find(Array.isArray)
      if (list) list.length = 1
    }),
  },
  {
    name: 'has no summaries of meals',
    rule: '4.12/summaries',
    between: rejectCalls(/^GET \/v2\/summary\/meal\//, () => true, 404),
  },
  {
    name: 'has no summaries of workouts',
    rule: '4.12/summaries',
    between: rejectCalls(/^GET \/v2\/summary\/workouts\//, () => true, 404),
  },
  ...['id', 'date', 'source', 'user_id'].map(
    (field): Mutant => ({
      name: `returns a profile without ${field}`,
      rule: '2.9/profile',
      between: changeResponses(profile, (body) => delete body[field]),
    }),
  ),
  {
    name: 'returns a profile without height',
    rule: '2.9/profile',
    between: changeResponses(profile, (body) => delete body.height),
  },
  {
    name: 'returns the height of a profile as a string',
    rule: '2.9/profile',
    between: changeResponses(profile, (body) => {
      body.height = `${body.height} cm`
    }),
  },
  {
    name: 'rounds the height of a profile',
    rule: '2.9/profile',
    between: changeResponses(profile, (body) => {
      body.height = Math.round(body.height)
    }),
  },
  {
    name: 'returns the profile of the first user for every other',
    rule: '2.9/profile',
    between: stick(profile),
  },
  {
    name: 'omits the deprecated source fields before their removal',
    rule: '9/source-fields',
    options: { deprecatedFields: 'never' },
  },
  {
    name: 'removes the deprecated source fields in July 2024',
    rule: '9/source-fields',
    setup: (setup) => ({
      ...setup,
      team: (like) =>
        // The setup of the mock offers teams.
        (setup.team as NonNullable<typeof setup.team>)({
          ...like,
          ...(like.now?.startsWith('2024-07-30') ? { now: '2024-08-01T00:00:00Z' } : {}),
        }),
    }),
  },
]
