import { expect, it } from 'vitest'
import { Random } from '../../../mock/reference-data/random.ts'

const draws = (random: Random) => Array.from({ length: 5 }, () => random.next())

it('gives the same sequence for the same seed', () => {
  expect(draws(new Random(42))).toEqual(draws(new Random('42')))
  expect(draws(new Random(42))).not.toEqual(draws(new Random(43)))
})

it('gives the bytes that every machine gives', () => {
  expect(new Random(42).uuid()).toMatchInlineSnapshot(`"713fab7f-1e52-4598-ab2f-21abb2a7fb55"`)
})

it('draws whole numbers within inclusive bounds, every one of them', () => {
  const random = new Random(1)
  const drawn = new Set(Array.from({ length: 200 }, () => random.integer(3, 6)))
  expect([...drawn].sort()).toEqual([3, 4, 5, 6])
})

it('draws UUIDs of version 4, all different', () => {
  const random = new Random(1)
  const ids = Array.from({ length: 10_000 }, () => random.uuid())
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

it('forks by label alone, whatever was drawn before', () => {
  const early = new Random(7)
  const late = new Random(7)
  draws(late)
  expect(draws(early.fork('people'))).toEqual(draws(late.fork('people')))
  expect(draws(early.fork('people'))).not.toEqual(draws(early.fork('faults')))
})

it('continues from a state as if nothing had happened', () => {
  const random = new Random(7)
  draws(random)
  const state = JSON.parse(JSON.stringify(random.state()))
  expect(draws(Random.from(state))).toEqual(draws(random))
})
