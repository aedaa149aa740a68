import { assertEqual, assertSuccess, assertThat, NotApplicable } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import { listLabTests, listMarkers } from '../../operations.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf } from '../../shape.ts'
import {
  assertPageBounds,
  assertPagesAgree,
  assumedLabTests,
  getPage,
  pageForm,
  parameters,
} from './marker-pages.ts'

/** Returns the ids of two labs that have markers. */
async function findTwoLabs(service: TestedService): Promise<[number, number]> {
  const labs = new Set<number>()
  for (let number = 1; number <= 5 && labs.size < 2; number += 1) {
    const query = { page: number, size: 100 }
    const { markers } = await getPage(service, listMarkers, { query })
    for (const { lab_id } of markers) if (typeof lab_id === 'number') labs.add(lab_id)
  }
  const [one, other] = labs
  if (one === undefined || other === undefined) {
    throw new NotApplicable('the service lists markers of fewer than two labs')
  }
  return [one, other]
}

/** Returns the slug of a lab, which lab tests are assumed to contain in `lab`. */
async function findSlug(service: TestedService, labId: number): Promise<string> {
  const tests = fieldOf(assertSuccess(await service.call(listLabTests)).json, 'data')
  const labs = (Array.isArray(tests) ? tests : []).map((test) => fieldOf(test, 'lab'))
  const slug = fieldOf(
    labs.find((lab) => fieldOf(lab, 'id') === labId),
    'slug',
  )
  if (typeof slug !== 'string') throw new NotApplicable('no lab test contains the slug of its lab')
  return slug
}

/** Asserts that a query returns markers, all of one lab. */
async function assertMarkersOfLab(
  service: TestedService,
  query: Record<string, string | number>,
  lab_id: unknown,
): Promise<void> {
  const { markers } = await getPage(service, listMarkers, { query })
  assertThat(markers.length > 0, 'Expected markers of the lab.')
  for (const found of markers) assertEqual(found['lab_id'], lab_id, 'lab_id of a marker')
}

export const markerCases = defineCases({
  '2.5/marker': {
    title: 'Returns markers with their expected results and LOINC codes',
    rules: ['2.5/marker', '2.5/expected-result', '2.5/loinc', '2.5/page', '4.4/response'],
    readOnly: true,
    async run(service) {
      assertShape(assertSuccess(await service.call(listMarkers)).json, pageForm, 'the page')
    },
  },
  '2.5/counters': {
    title: 'Returns counters that match the page',
    rules: ['2.5/page'],
    readOnly: true,
    assumption: parameters,
    async run(service) {
      const found = await getPage(service, listMarkers, { query: { page: 2, size: 3 } })
      if (found.page !== null && found.page !== undefined) assertEqual(found.page, 2, 'page')
      if (found.size !== null && found.size !== undefined) assertEqual(found.size, 3, 'size')
    },
  },
  '4.4/pages': {
    title: 'Pages markers so that each is returned once and in a stable order',
    rules: ['4.4/further-parameters', '8/page-number'],
    readOnly: true,
    assumption: parameters,
    async run(service) {
      const [lab_id] = await findTwoLabs(service)
      await assertPagesAgree(service, listMarkers, { query: { lab_id } })
    },
  },
  '4.4/bounds': {
    title: 'Accepts page numbers from 1 and page sizes from 1 to 100',
    rules: ['4.4/further-parameters', '8/page-size', '8/page-number'],
    readOnly: true,
    assumption: parameters,
    async run(service) {
      await assertPageBounds(service, listMarkers, {})
    },
  },
  '4.4/default-size': {
    title: 'Returns the first page with 50 markers by default',
    rules: ['8/page-size', '8/page-number'],
    readOnly: true,
    assumption: parameters,
    async run(service) {
      const found = await getPage(service, listMarkers)
      const { ids } = await getPage(service, listMarkers, { query: { page: 1, size: 50 } })
      assertEqual(found.ids.join(), ids.join(), 'the markers of the default page')
      const more = await getPage(service, listMarkers, { query: { size: 100 } })
      if (more.ids.length > 50) assertEqual(found.ids.length, 50, 'the number of markers')
    },
  },
  '4.4/lab-id': {
    title: 'Lists the markers of one lab by lab_id',
    rules: ['4.4/parameters'],
    readOnly: true,
    async run(service) {
      for (const lab_id of await findTwoLabs(service)) {
        await assertMarkersOfLab(service, { lab_id }, lab_id)
      }
    },
  },
  '4.4/lab-slug': {
    title: 'Lists the markers of one lab by lab_slug',
    rules: ['4.4/parameters'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      for (const lab_id of await findTwoLabs(service)) {
        await assertMarkersOfLab(service, { lab_slug: await findSlug(service, lab_id) }, lab_id)
      }
    },
  },
  '4.4/slug-wins': {
    title: 'Uses lab_slug when both lab_id and lab_slug are sent',
    rules: ['4.4/parameters'],
    readOnly: true,
    assumption: assumedLabTests,
    async run(service) {
      const [one, other] = await findTwoLabs(service)
      const query = { lab_id: other, lab_slug: await findSlug(service, one) }
      await assertMarkersOfLab(service, query, one)
    },
  },
  '4.4/name': {
    title: 'Filters markers by name',
    rules: ['4.4/further-parameters'],
    readOnly: true,
    assumption: 'the parameter is name',
    async run(service) {
      const all = await getPage(service, listMarkers, { query: { size: 100 } })
      const name = String(all.markers.at(-1)?.['name'])
      const found = await getPage(service, listMarkers, { query: { name, size: 100 } })
      assertThat(found.ids.includes(all.ids.at(-1) ?? -1), 'Expected the marker with this name.')
      assertThat(found.ids.length < all.ids.length, 'Expected fewer markers than all.')
    },
  },
  '4.4/lab-account': {
    title: 'Returns only the markers that are available to a lab account',
    rules: ['4.4/further-parameters'],
    needs: ['labAccount'],
    assumption: 'the parameter is lab_account_id',
    async run(service) {
      const all = await getPage(service, listMarkers)
      for (const [labs, expected] of [
        ['all', all.ids.length],
        ['none', 0],
      ] as const) {
        const query = { lab_account_id: await service.labAccount(labs) }
        const { ids } = await getPage(service, listMarkers, { query })
        assertEqual(ids.length, expected, `the number of markers of an account for ${labs}`)
      }
    },
  },
})
