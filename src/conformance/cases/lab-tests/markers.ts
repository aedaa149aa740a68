import { assertThat } from '../../assertions.ts'
import { defineCases } from '../../case.ts'
import type { TestedService } from '../../service.ts'
import { assertShape, fieldOf } from '../../shape.ts'
import {
  assertIds,
  assertOnlyPage,
  assertPageBounds,
  assertPaging,
  type PageQuery,
  pageForm,
  presumePaging,
  readPage,
} from './marker-pages.ts'
import { assertStored, makeMarkers } from './offers.ts'

async function list(service: TestedService, query: PageQuery = {}) {
  return readPage(await service.call('labTests.listMarkers', { query }))
}

async function addTwoLabs(service: TestedService) {
  const offers = [makeMarkers('Two', 2), makeMarkers('Three', 3)] as const
  const labs = [
    await service.setup.lab({ markers: offers[0], tests: [] }),
    await service.setup.lab({ markers: offers[1], tests: [] }),
  ] as const
  return { offers, labs }
}

async function assertOneLab(service: TestedService, filter: 'lab_id' | 'lab_slug') {
  const [one, other] = (await addTwoLabs(service)).labs
  for (const { id, slug, markers } of [one, other, one]) {
    const found = await list(service, filter === 'lab_id' ? { lab_id: id } : { lab_slug: slug })
    assertOnlyPage(found, markers, `the lab with this ${filter}`)
  }
}

export const markerCases = defineCases(['lab'], {
  '2.5/marker': {
    title: 'Returns markers with their expected results and LOINC codes',
    rules: ['2.5/marker', '2.5/expected-result', '2.5/loinc', '2.5/page', '4.4/response'],
    needs: [],
    readOnly: true,
    async run(service) {
      const json = await service.read('labTests.listMarkers')
      assertShape(json, pageForm, 'the page')
    },
  },
  '2.5/fields': {
    title: "Returns every field of a lab's markers",
    rules: ['2.5/marker', '2.5/expected-result', '2.5/loinc', '4.4/response'],
    async run(service) {
      const { offers, labs } = await addTwoLabs(service)
      for (const at of [0, 1] as const) {
        const { markers } = await list(service, { lab_id: labs[at].id })
        assertStored(markers, offers[at], labs[at], labs[at].markers)
      }
    },
  },
  '4.4/after-a-lab': {
    title:
      'Lists the markers of all labs if no parameters are sent, regardless of earlier requests',
    rules: ['4.4/parameters', '4.4/response'],
    async run(service) {
      const { labs } = await addTwoLabs(service)
      const totals: unknown[] = []
      for (const query of [{ lab_id: labs[0].id }, { lab_slug: labs[1].slug }]) {
        await list(service, query)
        const json = await service.read('labTests.listMarkers')
        totals.push(fieldOf(json, 'total') ?? null)
      }
      // A total may be null.
      const areAll = totals.every((total) => total === null || Number(total) >= 5)
      assertThat(areAll, 'Expected total to include the markers of both labs, but found fewer.')
    },
  },
  '4.4/paging': {
    title: "Paginates a lab's markers; the defaults are page 1 and size 50",
    rules: ['4.4/further-parameters', '8/page-size', '8/page-number', '2.5/page'],
    async run(service) {
      const lab = await service.setup.lab({ markers: makeMarkers('Many', 103), tests: [] })
      const request = (query: PageQuery) =>
        service.call('labTests.listMarkers', { query: { lab_id: lab.id, ...query } })
      await presumePaging(service, request)
      await assertPaging(request, lab.markers)
    },
  },
  '4.4/bounds': {
    title: 'Requires a page of at least 1 and a size from 1 to 100 for the list of markers',
    rules: ['4.4/further-parameters', '8/page-size', '8/page-number'],
    needs: [],
    readOnly: true,
    async run(service) {
      const request = (query: PageQuery) => service.call('labTests.listMarkers', { query })
      await presumePaging(service, request)
      await assertPageBounds(request)
    },
  },
  '4.4/default-size': {
    title: 'Returns at most 50 markers on a page by default',
    rules: ['8/page-size', '8/page-number'],
    needs: [],
    readOnly: true,
    async run(service) {
      const { ids } = await list(service)
      assertThat(ids.length <= 50, `Expected at most 50 markers on a page, found ${ids.length}.`)
    },
  },
  '4.4/lab-id': {
    title: 'Lists only the markers of the lab in lab_id, even after a request for another lab',
    rules: ['4.4/parameters', '2.5/page'],
    run: (service) => assertOneLab(service, 'lab_id'),
  },
  '4.4/lab-slug': {
    title: 'Lists only the markers of the lab in lab_slug, even after a request for another lab',
    rules: ['4.4/parameters', '2.5/page'],
    run: (service) => assertOneLab(service, 'lab_slug'),
  },
  '4.4/slug-wins': {
    title: 'Uses lab_slug when both lab_id and lab_slug are sent, in either order',
    rules: ['4.4/parameters'],
    async run(service) {
      const { labs } = await addTwoLabs(service)
      for (const [at, other] of [
        [0, 1],
        [1, 0],
      ] as const) {
        const [lab_slug, lab_id] = [labs[at].slug, labs[other].id]
        for (const query of [
          { lab_id, lab_slug },
          { lab_slug, lab_id },
        ]) {
          assertIds(await list(service, query), labs[at].markers, 'the lab with this lab_slug')
        }
      }
    },
  },
  '4.4/name': {
    title: "Filters a lab's markers by name or test code",
    rules: ['4.4/further-parameters'],
    async run(service: TestedService) {
      const offers = makeMarkers('Named', 3)
      const lab = await service.setup.lab({ markers: offers, tests: [] })
      const none = await list(service, { name: 'no marker', lab_id: lab.id })
      service.presume(none.ids.length === 0, 'the marker filter in 4.4 is a parameter called name')
      for (const [at, { name, test_code }] of offers.entries()) {
        for (const text of [name, test_code]) {
          const found = await list(service, { name: text, lab_id: lab.id })
          assertOnlyPage(found, lab.markers.slice(at, at + 1), `the filter for marker ${at + 1}`)
        }
      }
    },
  },
  '4.4/lab-account': {
    title: 'Returns only the markers that are available to a lab account',
    rules: ['4.4/further-parameters'],
    needs: ['lab', 'labAccount'],
    async run(service: TestedService) {
      const { labs } = await addTwoLabs(service)
      const noLab = { lab_id: labs[0].id, lab_account_id: await service.setup.labAccount('none') }
      const { ids } = await list(service, noLab)
      service.presume(
        ids.length === 0,
        'the lab account identifier in 4.4 is the parameter lab_account_id',
      )
      const accounts = [
        [await service.setup.labAccount('all'), labs[0].markers, labs[1].markers],
        [await service.setup.labAccount('none'), [], []],
        [await service.setup.labAccount([labs[1].id]), [], labs[1].markers],
        [await service.setup.labAccount([labs[0].id]), labs[0].markers, []],
      ] as const
      for (const [lab_account_id, ...available] of accounts) {
        for (const at of [0, 1] as const) {
          const found = await list(service, { lab_id: labs[at].id, lab_account_id })
          assertOnlyPage(found, available[at], 'a lab for the account')
          const bySlug = await list(service, { lab_account_id, lab_slug: labs[at].slug })
          assertIds(bySlug, available[at], 'a lab for the account')
        }
      }
    },
  },
  '4.4/lab-id-type': {
    title: 'Rejects a lab_id that is not an integer',
    rules: ['4.4/parameters', '2.5/marker'],
    needs: [],
    readOnly: true,
    assumption: 'the parameter lab_id is an integer, as in 2.5',
    async run(service) {
      for (const lab_id of ['northern', '1.5']) {
        await service.reject(
          'labTests.listMarkers',
          { query: { lab_id } },
          'a lab_id that is not an integer',
        )
      }
    },
  },
})
