import { assertEqual, assertThat, NotApplicable } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { fieldOf } from '../../shape.ts'
import { type RequestPage, readPage } from './marker-pages.ts'

/** Cases for a service whose setup cannot add labs: they use the markers that it has. */

/** Asserts that pages of two sizes have the same markers, each once. */
async function assertPagesAgree(request: RequestPage): Promise<void> {
  const large = await listIds(request, 7)
  assertThat(new Set(large).size === large.length, 'Expected every marker once, found some twice.')
  const small = await listIds(request, 3)
  assertEqual(small.toSorted(), large.toSorted(), 'the markers of smaller pages')
}

/** Returns the ids of the markers of all pages of a size, at most 100 pages. */
async function listIds(request: RequestPage, size: number): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1; page <= 100; page += 1) {
    const response = await request({ page, size })
    if (page > 1 && response.status >= 400 && response.status < 500) break
    const { ids: next } = readPage(response)
    assertThat(next.length <= size, `Expected at most ${size} markers, found ${next.length}.`)
    if (next.length === 0) break
    ids.push(...next)
  }
  return ids
}

/** Returns the ids of two labs that have markers. */
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
    throw new NotApplicable('the service lists markers of fewer than two labs')
  }
  return [one, other]
}

export const existingMarkerCases = defineCases({
  '4.4/existing-labs': {
    title: 'Lists only markers of the lab with this lab_id, in pages that agree',
    rules: ['4.4/parameters', '4.4/response', '4.4/further-parameters'],
    readOnly: true,
    async run(service) {
      for (const lab_id of await findTwoLabs(service)) {
        const { markers } = readPage(
          await service.call('labTests.listMarkers', { query: { lab_id } }),
        )
        assertThat(markers.length > 0, 'Expected markers of the lab, found none.')
        for (const marker of markers) assertEqual(fieldOf(marker, 'lab_id'), lab_id, 'lab_id')
        await assertPagesAgree((page) =>
          service.call('labTests.listMarkers', { query: { lab_id, ...page } }),
        )
      }
    },
  },
  '4.5/existing-test': {
    title: 'Pages the markers of a lab test so that each is returned once',
    rules: ['4.5/parameters', '4.5/response'],
    readOnly: true,
    async run(service) {
      const params = { lab_test_id: await service.labTest() }
      await assertPagesAgree((query) => service.call('labTests.listTestMarkers', { params, query }))
    },
  },
  '4.6/existing-test': {
    title: 'Lists the same markers for a lab test and for an order set with this test',
    rules: ['4.6/body', '4.6/response'],
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
