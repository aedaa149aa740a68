import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { code, conformanceList, rulesOf } from '../../scripts/conformance/list.ts'
import { sectionTitles, sentencesOf } from '../../scripts/conformance/sentences.ts'
import { conformanceCases } from '../../src/conformance/index.ts'
import { specificationRules } from '../../src/conformance/rules/rules.ts'

const sentences = [...sectionTitles.keys()].flatMap(sentencesOf)

it('finds the sentences of parts 2 to 9', () => {
  expect([...sectionTitles.keys()]).toEqual(
    expect.arrayContaining(['2.1', '2.10', '3.1', '4.12', '5', '9']),
  )
  expect(sentences.length).toBeGreaterThan(250)
})

it('has a rule for every sentence', () => {
  const bare = sentences.filter((one) => !one.isOpen && rulesOf(one).length === 0)
  expect(bare.map(({ section, text }) => `${section}: ${text}`)).toEqual([])
})

it('quotes every rule from its section, word for word', () => {
  const lost = specificationRules.flatMap(({ id, quotes }) => {
    const texts = sentencesOf(id.slice(0, id.indexOf('/'))).map(({ text }) => text)
    return quotes.filter((quote) => !texts.includes(quote)).map((quote) => `${id}: ${quote}`)
  })
  expect(lost).toEqual([])
})

it('has a case for every rule, or a reason', () => {
  const shown = new Set(conformanceCases.flatMap(({ rules }) => rules))
  const bare = specificationRules.filter(({ id, reason }) => shown.has(id) === Boolean(reason))
  expect(bare.map(({ id }) => id)).toEqual([])
})

it('names the rules without a case', () => {
  const reasons = specificationRules.flatMap(({ id, reason }) => (reason ? [id] : []))
  expect(reasons).toEqual(['2.1/name-validation', '4.7/usage', '9/enumerations'])
})

it('names only existing rules in every case', () => {
  const known = new Set(specificationRules.map(({ id }) => id))
  const unknown = conformanceCases.flatMap(({ id, rules }) =>
    rules.filter((rule) => !known.has(rule)).map((rule) => `${id}: ${rule}`),
  )
  expect(unknown).toEqual([])
})

it('names existing code for every rule', () => {
  const files = Object.values(code).flat()
  expect(files.filter((file) => globSync(file).length === 0)).toEqual([])
  const without = specificationRules.filter(({ id }) => !code[id.slice(0, id.indexOf('/'))])
  expect(without).toEqual([])
})

it('lists every sentence with its cases, a reason, or both', () => {
  const { sentences: listed, cases } = conformanceList()
  expect(listed).toHaveLength(sentences.length)
  expect(listed.filter((one) => one.cases.length === 0 && !one.reason)).toEqual([])
  expect(listed.flatMap((one) => one.cases).filter((id) => !cases[id])).toEqual([])
})

it('lists the conditions of a case', () => {
  const { cases } = conformanceList()
  const conditions = Object.values(cases).map((one) => one.conditions.join(', '))
  expect(conditions).toContain('needs user, needs addHealthData')
  expect(conditions.filter((text) => text.startsWith('assumption')).length).toBeGreaterThan(5)
})
