import type { CatalogueSteps, MarkerOffer } from '../../../src/conformance/steps/catalogue.ts'
import type { Team } from '../../team.ts'
import type { RemoteTeam } from '../remote-team.ts'

/** Returns the steps that prepare the catalogue of a team. */
export function catalogueSteps({ catalogue }: Team | RemoteTeam): Required<CatalogueSteps> {
  return {
    async lab(offer) {
      const { id, slug } = await catalogue.labs.create()
      const ids = new Map<MarkerOffer, number>()
      for (const marker of offer.markers) {
        const expected_results = marker.expected_results.map((one) => ({ ...one, lab_id: id }))
        const price = marker.price ?? 'N/A'
        const input = { ...marker, price, lab_id: id, expected_results }
        ids.set(marker, (await catalogue.markers.create(input)).id)
      }
      const tests: string[] = []
      for (const markers of offer.tests) {
        const marker_ids = markers.flatMap((marker) => ids.get(marker) ?? [])
        tests.push((await catalogue.labTests.create({ lab_id: id, marker_ids })).id)
      }
      return { id, slug, markers: [...ids.values()], tests }
    },
    async labAccount(labs) {
      if (labs === 'all') return (await catalogue.labAccounts.create()).id
      const lab_ids = labs === 'none' ? [] : [...labs]
      return (await catalogue.labAccounts.create({ lab_ids })).id
    },
  }
}
