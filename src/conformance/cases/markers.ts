import { listLabTests, listMarkers } from '../../contract/lab-tests.ts'
import { assertEqual, assertSuccess, assertThat, NotApplicable } from '../assertions.ts'
import { defineCases } from '../case.ts'
import type { Service } from '../service.ts'
import { assertShape, fieldOf } from '../shape.ts'
import { assertPagesAgree, bounds, page, pageOf, parameters, shapes } from './marker-pages.ts'

/** Two labs that have markers, by id. */
async function twoLabs(service: Service): Promise<[number, number]> {
  const labs = new Set<number>()
  for (let number = 1; number <= 5 && labs.size < 2; number += 1) {
    const query = { page: number, size: 100 }
    const { markers } = await pageOf(service, listMarkers, { query })
    for (const { lab_id } of markers) if (typeof lab_id === 'number') labs.add(lab_id)
  }
  const [one, other] = labs
  if (one === undefined || other === undefined) {
    throw new NotApplicable('the service lists markers of fewer than two labs')
  }
  return [one, other]
}

/** The slug of a lab; lab tests are presumed to tell it in `lab`. */
async function slugOf(service: Service, labId: number): Promise<string> {
  const tests = fieldOf(assertSuccess(await service.call(listLabTests)).json, 'data')
  const labs = (Array.isArray(tests) ? tests : []).map((test) => fieldOf(test, 'lab'))
  const slug = fieldOf(
    labs.find((lab) => fieldOf(lab, 'id') === labId),
    'slug',
  )
  if (typeof slug !== 'string') throw new NotApplicable('no lab test tells the slug of its lab')
  return slug
}

export const markerCases = defineCases({
  '2.5/marker': {
    title: 'Answers markers with their fields, results and LOINC codes',
    rules: ['2.5/marker', '2.5/expected-result', '2.5/loinc', '2.5/page', '4.4/response'],
    readOnly: true,
    async run(service) {
      assertShape(assertSuccess(await service.call(listMarkers)).json, page, 'the page')
    },
  },
  '2.5/counters': {
    title: 'Answers counters that tell of the page',
    rules: ['2.5/page'],
    readOnly: true,
    presumes: parameters,
    async run(service) {
      const found = await pageOf(service, listMarkers, { query: { page: 2, size: 3 } })
      if (found.page !== null && found.page !== undefined) assertEqual(found.page, 2, 'page')
      if (found.size !== null && found.size !== undefined) assertEqual(found.size, 3, 'size')
    },
  },
  '4.4/pages': {
    title: 'Pages markers so that each comes once, in one order',
    rules: ['4.4/further-parameters', '8/page-number'],
    readOnly: true,
    presumes: parameters,
    async run(service) {
      const [lab_id] = await twoLabs(service)
      await assertPagesAgree(service, listMarkers, { query: { lab_id } })
    },
  },
  '4.4/bounds': {
    title: 'Takes pages from 1 and sizes from 1 to 100',
    rules: ['4.4/further-parameters', '8/page-size', '8/page-number'],
    readOnly: true,
    presumes: parameters,
    async run(service) {
      await bounds(service, listMarkers, {})
    },
  },
  '4.4/default-size': {
    title: 'Answers the first page of 50 markers unless told otherwise',
    rules: ['8/page-size', '8/page-number'],
    readOnly: true,
    presumes: parameters,
    async run(service) {
      const found = await pageOf(service, listMarkers)
      const { ids } = await pageOf(service, listMarkers, { query: { page: 1, size: 50 } })
      assertEqual(found.ids.join(), ids.join(), 'the markers of the default page')
      const more = await pageOf(service, listMarkers, { query: { size: 100 } })
      if (more.ids.length > 50) assertEqual(found.ids.length, 50, 'the number of markers')
    },
  },
  '4.4/lab-id': {
    title: 'Lists the markers of one lab by lab_id',
    rules: ['4.4/parameters'],
    readOnly: true,
    async run(service) {
      for (const lab_id of await twoLabs(service)) {
        const { markers } = await pageOf(service, listMarkers, { query: { lab_id } })
        assertThat(markers.length > 0, 'Expected markers of the lab.')
        for (const found of markers) assertEqual(found['lab_id'], lab_id, 'lab_id of a marker')
      }
    },
  },
  '4.4/lab-slug': {
    title: 'Lists the markers of one lab by lab_slug',
    rules: ['4.4/parameters'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      for (const lab_id of await twoLabs(service)) {
        const lab_slug = await slugOf(service, lab_id)
        const { markers } = await pageOf(service, listMarkers, { query: { lab_slug } })
        assertThat(markers.length > 0, 'Expected markers of the lab.')
        for (const found of markers) assertEqual(found['lab_id'], lab_id, 'lab_id of a marker')
      }
    },
  },
  '4.4/slug-wins': {
    title: 'Heeds lab_slug when both are given',
    rules: ['4.4/parameters'],
    readOnly: true,
    presumes: shapes,
    async run(service) {
      const [one, other] = await twoLabs(service)
      const query = { lab_id: other, lab_slug: await slugOf(service, one) }
      const { markers } = await pageOf(service, listMarkers, { query })
      assertThat(markers.length > 0, 'Expected markers of the lab.')
      for (const found of markers) assertEqual(found['lab_id'], one, 'lab_id of a marker')
    },
  },
  '4.4/name': {
    title: 'Filters markers by their name',
    rules: ['4.4/further-parameters'],
    readOnly: true,
    presumes: 'the parameter is name',
    async run(service) {
      const all = await pageOf(service, listMarkers, { query: { size: 100 } })
      const name = String(all.markers.at(-1)?.['name'])
      const found = await pageOf(service, listMarkers, { query: { name, size: 100 } })
      assertThat(found.ids.includes(all.ids.at(-1) ?? -1), 'Expected the marker that is named so.')
      assertThat(found.ids.length < all.ids.length, 'Expected fewer markers than all.')
    },
  },
  '4.4/lab-account': {
    title: 'Lets a lab account decide which markers are available',
    rules: ['4.4/further-parameters'],
    needs: ['labAccount'],
    presumes: 'the parameter is lab_account_id',
    async run(service) {
      const all = await pageOf(service, listMarkers)
      for (const [labs, expected] of [
        ['all', all.ids.length],
        ['none', 0],
      ] as const) {
        const query = { lab_account_id: await service.labAccount(labs) }
        const { ids } = await pageOf(service, listMarkers, { query })
        assertEqual(ids.length, expected, `the number of markers of an account for ${labs}`)
      }
    },
  },
})
