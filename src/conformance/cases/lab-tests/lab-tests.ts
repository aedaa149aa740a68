import { assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import { listAllLabTests, listLabTests } from '../../operations.ts'
import { fieldOf } from '../../shape.ts'

export const labTestCases = defineCases({
  '4.12/lab-tests': {
    title: 'Pages lab tests with lab_test_limit and next_cursor and returns each once',
    rules: ['4.12/lab-tests'],
    readOnly: true,
    assumption: 'GET /v3/lab_test returns data with id, and next_cursor',
    async run(service) {
      const seen: unknown[] = []
      let next_cursor: string | undefined
      do {
        const query = { lab_test_limit: 2, ...(next_cursor ? { next_cursor } : {}) }
        const { json } = assertSuccess(await service.call(listLabTests, { query }))
        const tests = fieldOf(json, 'data')
        assertThat(
          Array.isArray(tests) && tests.length <= 2,
          'Expected at most two lab tests in a page.',
        )
        seen.push(...tests.map((test) => fieldOf(test, 'id')))
        const next = fieldOf(json, 'next_cursor')
        next_cursor = typeof next === 'string' ? next : undefined
      } while (next_cursor && seen.length < 500)
      assertThat(new Set(seen).size === seen.length, 'Expected every lab test once.')
      const whole = fieldOf(assertSuccess(await service.call(listLabTests)).json, 'data')
      const count = Array.isArray(whole) ? whole.length : 0
      assertThat(
        seen.length >= count,
        `Expected ${count} lab tests in small pages, found ${seen.length}.`,
      )
    },
  },
  '9/all-lab-tests': {
    title: 'Lists all lab tests on the deprecated path',
    rules: ['9/lab-tests'],
    readOnly: true,
    assumption: 'the response is a list; the specification does not show the date of removal',
    async run(service) {
      const { json } = assertSuccess(await service.call(listAllLabTests))
      assertThat(Array.isArray(json), 'Expected an array of lab tests.')
    },
  },
})
