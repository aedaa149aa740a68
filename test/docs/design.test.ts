import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'

const page = await readFile('docs/contributing/design.md', 'utf8')

/** Returns the files of a numbered list, each with the name that the list says it has, if it names one. */
function stepsOf(title: string) {
  const section = page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\d+\. `(.+?)`: (?:`(\w+)`)?/gm)].map(
    ([, file = '', name]) => [file, name] as const,
  )
}

describe.each([
  { title: 'A night of a living user', from: 15, to: 20 },
  { title: 'The body of an event', from: 12, to: 18 },
  { title: 'A new endpoint', from: 8, to: 10 },
  { title: 'A new field', from: 3, to: 5 },
  { title: 'A new event type', from: 5, to: 8 },
  { title: 'A new fault', from: 4, to: 6 },
  { title: 'A new collection', from: 5, to: 6 },
])('the list "$title"', ({ title, from, to }) => {
  const steps = stepsOf(title)

  it(`has ${from} to ${to} steps`, () => {
    expect(steps.length).toBeGreaterThanOrEqual(from)
    expect(steps.length).toBeLessThanOrEqual(to)
  })

  it.each(steps)('names %s and what it has: %s', async (file, name) => {
    const text = await readFile(file, 'utf8')
    if (!name) return
    const declaration = `^(?:export )?(?:async )?(?:abstract )?(?:function\\*?|const|class|interface|type) ${name}\\b`
    expect(text).toMatch(new RegExp(declaration, 'm'))
  })
})

it.each([
  { title: 'A night of a living user', most: 8 },
  { title: 'The body of an event', most: 6 },
])('needs at most $most returns to an earlier folder in "$title"', ({ title, most }) => {
  const folders = stepsOf(title).map(([file]) => dirname(file))
  const returns = folders.filter(
    (folder, at) => folder !== folders[at - 1] && folders.slice(0, at).includes(folder),
  )
  expect(returns.length).toBeLessThanOrEqual(most)
})
