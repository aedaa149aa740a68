import { lowerUuid } from '../../../shared/narrow.ts'
import { assertEqual, assertThat, NotApplicable } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { type PageQuery, type RequestPage, readPage } from './marker-pages.ts'
import { makeMarkers } from './offers.ts'

const shape = 'GET /v3/lab_test returns next_cursor and data, an array of items with an id'

async function listPages(service: TestedService, query: PageQuery = {}): Promise<string[][]> {
  const pages: string[][] = []
  let next_cursor: string | undefined
  do {
    const page = { ...query, ...(next_cursor === undefined ? {} : { next_cursor }) }
    const json = await service.read('labTests.list', { query: page })
    const tests = fieldOf(json, 'data')
    service.presume(Array.isArray(tests), shape)
    pages.push(tests.map((test) => String(lowerUuid(fieldOf(test, 'id')))))
    const next = fieldOf(json, 'next_cursor')
    next_cursor = typeof next === 'string' && next !== '' ? next : undefined
  } while (next_cursor !== undefined && pages.length < 500)
  return pages
}

async function addTests(service: TestedService) {
  const markers = makeMarkers('Listed', 3)
  const lab = await service.setup.lab({ markers, tests: markers.map((marker) => [marker]) })
  return { ...lab, tests: lab.tests.map((id) => String(lowerUuid(id))) }
}

function assertOnce(ids: readonly string[], wanted: readonly string[], list: string): void {
  assertThat(
    new Set(ids).size === ids.length,
    `Expected ${list} to contain each lab test only once.`,
  )
  const found = wanted.filter((id) => ids.includes(id)).length
  assertEqual(found, wanted.length, `the number of added lab tests in ${list}`)
}

// The next three functions use the service's own markers, because not every setup can add labs.

async function assertPagesAgree(request: RequestPage): Promise<void> {
  const large = await listIds(request, 7)
  assertThat(
    new Set(large).size === large.length,
    'Expected each marker only once, but found duplicates.',
  )
  const small = await listIds(request, 3)
  assertEqual(small.toSorted(), large.toSorted(), 'the markers on smaller pages')
}

/** Returns the ids on all pages. Reads at most 100 pages. */
async function listIds(request: RequestPage, size: number): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1; page <= 100; page += 1) {
    const response = await request({ page, size })
    if (page > 1 && response.status >= 400 && response.status < 500) break
    const { ids: next } = readPage(response)
    assertThat(
      next.length <= size,
      `Expected at most ${size} markers on a page, found ${next.length}.`,
    )
    if (next.length === 0) break
    ids.push(...next)
  }
  return ids
}

async function findTwoLabs(service: TestedService): Promise<[number, number]> {
  const labs = new Set<number>()
  for (let page = 1; page <= 5 && labs.size < 2; page += 1) {
    const { markers } = readPage(
      await service.call('labTests.listMarkers', { query: { page, size: 100 } }),
    )
    for (const marker of markers) {
      const lab = fieldOf(marker, 'lab_id')
      if (typeof lab === 'number') labs.add(lab)
    }
  }
  const [one, other] = labs
  if (one === undefined || other === undefined) {
    throw new NotApplicable('the first five pages of markers come from fewer than two labs')
  }
  return [one, other]
}

export const labTestCases = defineCases(['lab'], {
  '4.12/lab-tests': {
    title: 'Paginates lab tests with lab_test_limit and next_cursor, and returns each test once',
    rules: ['4.12/lab-tests'],
    async run(service) {
      const { tests } = await addTests(service)
      const whole = (await listPages(service)).flat()
      assertOnce(whole, tests, 'pages of the default size')
      for (const lab_test_limit of [1, 2, 5, 2]) {
        const pages = await listPages(service, { lab_test_limit })
        for (const { length } of pages) {
          const limit = `Expected at most ${lab_test_limit} lab tests on a page, found ${length}.`
          assertThat(length <= lab_test_limit, limit)
        }
        assertEqual(pages.flat().toSorted(), whole.toSorted(), 'the lab tests on all pages')
      }
    },
  },
  '4.12/lab-test-filters': {
    title: "Filters lab tests by their lab's slug",
    rules: ['4.12/lab-tests'],
    assumption: `${shape}; lab_slug filters by lab`,
    async run(service) {
      for (const lab of [await addTests(service), await addTests(service)]) {
        const query = { lab_slug: lab.slug, lab_test_limit: 2 }
        const found = (await listPages(service, query)).flat()
        assertEqual(found.toSorted(), lab.tests.toSorted(), 'the lab tests of a lab')
      }
    },
  },
  '9/all-lab-tests': {
    title: 'Lists all lab tests on the deprecated path GET /v3/lab_tests',
    rules: ['9/lab-tests'],
    assumption: 'GET /v3/lab_tests returns an array and has not been removed yet',
    async run(service) {
      const { tests } = await addTests(service)
      const json = await service.read('labTests.listAll')
      assertThat(Array.isArray(json), 'Expected an array of lab tests.')
      const ids = json.map((test) => String(lowerUuid(fieldOf(test, 'id'))))
      assertOnce(ids, tests, 'the full list')
    },
  },
  '4.4/existing-labs': {
    title: 'Lists only the markers of the lab in lab_id, regardless of the page size',
    rules: ['4.4/parameters', '4.4/response', '4.4/further-parameters'],
    needs: [],
    readOnly: true,
    async run(service) {
      for (const lab_id of await findTwoLabs(service)) {
        const { markers } = readPage(
          await service.call('labTests.listMarkers', { query: { lab_id } }),
        )
        assertThat(markers.length > 0, 'Expected the lab to have markers, but found none.')
        for (const marker of markers) assertEqual(fieldOf(marker, 'lab_id'), lab_id, 'lab_id')
        await assertPagesAgree((page) =>
          service.call('labTests.listMarkers', { query: { lab_id, ...page } }),
        )
      }
    },
  },
  '4.5/existing-test': {
    title: "Paginates a lab test's markers, and returns each marker once",
    rules: ['4.5/parameters', '4.5/response'],
    needs: [],
    readOnly: true,
    async run(service) {
      const params = { lab_test_id: await service.labTest() }
      await assertPagesAgree((query) => service.call('labTests.listTestMarkers', { params, query }))
    },
  },
  '4.6/existing-test': {
    title:
      'Lists the same markers for a lab test and for an order set that contains only this test',
    rules: ['4.6/body', '4.6/response'],
    needs: [],
    readOnly: true,
    async run(service) {
      const id = await service.labTest()
      const test = readPage(
        await service.call('labTests.listTestMarkers', { params: { lab_test_id: id } }),
      )
      const set = readPage(
        await service.call('labTests.listOrderSetMarkers', { body: { lab_test_ids: [id] } }),
      )
      assertEqual(set.ids.toSorted(), test.ids.toSorted(), 'the markers of the order set')
    },
  },
})
