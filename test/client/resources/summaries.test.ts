import { expect, expectTypeOf, it } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import {
  type ActivitySummary,
  type BodySummary,
  type MealSummary,
  type ProfileSummary,
  RequestValidationError,
  ServiceClient,
  type SleepSummary,
  UnprocessableEntityError,
  type WorkoutSummary,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import { userId } from '../../support/samples.ts'
import { json } from '../../support/stub-fetch.ts'

const days = { start_date: '2025-05-30', end_date: '2025-06-01' }

it('types the fields of every resource (2.9, assumption)', async () => {
  const { summaries } = new ServiceClient(createMock().team().connection())
  const { sleep } = await summaries.list(userId, 'sleep', days)
  expectTypeOf(sleep).toEqualTypeOf<SleepSummary[]>()
  expectTypeOf(sleep[0]?.hr_average).toEqualTypeOf<number | null | undefined>()
  expect(sleep[0]?.bedtime_stop).toMatch(/^2025-05-30T.*\+00:00$/)
  const { activity } = await summaries.list(userId, 'activity', days)
  expectTypeOf(activity).toEqualTypeOf<ActivitySummary[]>()
  expect(activity[0]?.heart_rate?.avg_bpm).toBeGreaterThan(40)
  const { workouts } = await summaries.list(userId, 'workouts', { start_date: '2025-05-01' })
  expectTypeOf(workouts).toEqualTypeOf<WorkoutSummary[]>()
  expect(workouts[0]?.sport?.slug).toEqual(expect.any(String))
  const { body } = await summaries.list(userId, 'body', { start_date: '2025-05-01' })
  expectTypeOf(body).toEqualTypeOf<BodySummary[]>()
  expect(body[0]?.weight).toBeGreaterThan(40)
  const { meals } = await summaries.list(userId, 'meal', days)
  expectTypeOf(meals).toEqualTypeOf<MealSummary[]>()
  expect(meals[0]?.macros?.fats?.total).toBeGreaterThan(0)
})

it('lists the profile without dates (4.12)', async () => {
  const team = createMock().team()
  const { summaries } = new ServiceClient(team.connection())
  const profile = await summaries.list(userId, 'profile')
  expectTypeOf(profile).toEqualTypeOf<ProfileSummary>()
  expect(profile.birth_date).toMatch(/^\d{4}-\d\d-\d\d$/)
  await summaries.list(userId, 'profile', { provider: 'oura' }, { timeout: 1000 })
  expect(team.journal.last()?.request.url).toContain('provider=oura')
  // @ts-expect-error Only the profile has no dates.
  await summaries.list(userId, 'sleep').catch(() => {})
})

it('accepts other values in fields that are only assumed', async () => {
  const night = { source: {}, duration: '7h', hr_average: { bpm: 50 }, bedtime_start: 12, mood: 1 }
  const profile = { source: {}, sex: 1, created_at: 0 }
  const fetch = async ({ url }: Request) =>
    json(url.includes('sleep') ? { sleep: [night] } : profile)
  const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
  expect(await client.summaries.list(userId, 'sleep', days)).toEqual({ sleep: [night] })
  expect(await client.summaries.list(userId, 'profile')).toEqual(profile)
})

it('leaves the assumed parameters to the service, and rejects an unknown resource', async () => {
  const { summaries } = new ServiceClient(createMock().team().connection())
  const wrong = summaries.list(userId, 'sleep', { start_date: 'yesterday' })
  const { detail } = await failureOf(wrong, UnprocessableEntityError)
  expect(detail).toMatchObject([{ loc: ['query', 'start_date'] }])
  // A caller without types.
  await failureOf(summaries.list(userId, 'mood' as 'sleep', days), RequestValidationError)
})
