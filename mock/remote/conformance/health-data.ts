import type { HealthDataSteps } from '../../../src/conformance/steps/health-data.ts'
import type { Team } from '../../team.ts'
import type { RemoteTeam } from '../remote-team.ts'

/** Returns the steps that prepare the health data of a team. */
export function healthDataSteps({ data }: Team | RemoteTeam): Required<HealthDataSteps> {
  return {
    async rows(user_id, resource, rows) {
      for (const values of rows) await data.create({ user_id, resource, values })
    },
  }
}
