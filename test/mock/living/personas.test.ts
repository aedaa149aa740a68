import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { personaNames, personas } from '../../../mock/living/person/personas.ts'

describe('the personas', () => {
  it.each(personaNames)('%s is documented, with a picture', (name) => {
    const page = readFileSync('docs/testing/living-users.md', 'utf8')
    expect(personas[name].name).toBe(name)
    expect(page).toMatch(new RegExp(`^[|] \`${name}\` [|] \\w.+ [|] \``, 'm'))
    expect(page).toContain(`(/pictures/persona-${name}.svg)`)
  })
})
