import { assertEqual, assertSuccess, assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { makeMarkers } from './offers.ts'

const shape = 'GET /v3/lab_test returns data with id, and next_cursor'

type Query = Record<string, string | number>

/** Returns the ids of the lab tests of each page. */
async function listPages(service: TestedService, query: Query = {}): Promise<string[][]> {
  const pages: string[][] = []
  let next_cursor: string | undefined
  do {
    const page = { ...query, ...(next_cursor === undefined ? {} : { next_cursor }) }
    const { json } = assertSuccess(await service.call('labTests.list', { query: page }))
    const tests = fieldOf(json, 'data')
    service.presume(Array.isArray(tests), shape)
    pages.push(tests.map((test) => String(fieldOf(test, 'id'))))
    const next = fieldOf(json, 'next_cursor')
    next_cursor = typeof next === 'string' && next !== '' ? next : undefined
  } while (next_cursor !== undefined && pages.length < 500)
  return pages
}

/** Adds a lab with three lab tests. */
async function addTests(service: TestedService) {
  const markers = makeMarkers('Listed', 3)
  return service.lab({ markers, tests: markers.map((marker) => [marker]) })
}

function assertOnce(ids: readonly string[], wanted: readonly string[], list: string): void {
  assertThat(new Set(ids).size === ids.length, `Expected every lab test once in ${list}.`)
  const found = wanted.filter((id) => ids.includes(id)).length
  assertEqual(found, wanted.length, `the number of added lab tests in ${list}`)
}

export const labTestCases = defineCases({
  '4.12/lab-tests': {
    title: 'Pages lab tests with lab_test_limit and next_cursor and returns each once',
    rules: ['4.12/lab-tests'],
    needs: ['lab'],
    async run(service) {
      const { tests } = await addTests(service)
      const whole = (await listPages(service)).flat()
      assertOnce(whole, tests, 'pages of the default size')
      for (const lab_test_limit of [1, 2, 5, 2]) {
        const pages = await listPages(service, { lab_test_limit })
        for (const { length } of pages) {
          const limit = `Expected at most ${lab_test_limit} lab tests in a page, found ${length}.`
          assertThat(length <= lab_test_limit, limit)
        }
        assertEqual(pages.flat().toSorted(), whole.toSorted(), 'the lab tests of all pages')
      }
    },
  },
  '4.12/lab-test-filters': {
    title: 'Filters lab tests by the slug of their lab',
    rules: ['4.12/lab-tests'],
    needs: ['lab'],
    assumption: `${shape}; the parameter is lab_slug`,
    async run(service) {
      for (const lab of [await addTests(service), await addTests(service)]) {
        const query = { lab_slug: lab.slug, lab_test_limit: 2 }
        const found = (await listPages(service, query)).flat()
        assertEqual(found.toSorted(), lab.tests.toSorted(), 'the lab tests of a lab')
      }
    },
  },
  '9/all-lab-tests': {
    title: 'Lists all lab tests on the deprecated path',
    rules: ['9/lab-tests'],
    needs: ['lab'],
    assumption: 'the response is a list; the specification does not show the date of removal',
    async run(service) {
      const { tests } = await addTests(service)
      const { json } = assertSuccess(await service.call('labTests.listAll'))
      assertThat(Array.isArray(json), 'Expected an array of lab tests.')
      const ids = json.map((test) => String(fieldOf(test, 'id')))
      assertOnce(ids, tests, 'the list of all')
    },
  },
})
