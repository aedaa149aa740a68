import { present } from '../../shared/narrow.ts'
import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import { NotObservable } from '../expectation.ts'
import { liveDays, type TeamEvent, teamTruth } from '../team.ts'
import type { Trial } from '../trial.ts'

const basis =
  'Delivery (assumption): messages arrive at least once, in any order; the stored rows must match team.truth'
const remedy =
  'Upsert records by id, and replace a stored record only if updated_at is later. Respond with 2xx only after the record is stored.'

interface Life {
  title: string
  arrange: <T>(messages: readonly T[]) => T[]
  /** The user's time zone. Default: the team's. */
  timeZone?: string
}

const lives: Record<string, Life> = {
  'in-order': {
    title: 'Stores the data of a living user over two or more days',
    arrange: (messages) => [...messages],
  },
  disturbed: {
    title:
      "Stores a living user's data when events arrive in reverse order and then again in order",
    arrange: (messages) => [...messages.toReversed(), ...messages],
  },
  east: {
    title: 'Stores the data of a living user in Auckland, at least 12 hours ahead of UTC',
    arrange: (messages) => [...messages],
    timeZone: 'Pacific/Auckland',
  },
  west: {
    title: 'Stores the data of a living user in Honolulu, 10 hours behind UTC',
    arrange: (messages) => [...messages],
    timeZone: 'Pacific/Honolulu',
  },
}

export const truthCases = defineCertifyCases(
  'truth',
  basis,
  Object.fromEntries(
    Object.entries(lives).map(([name, { title, arrange, timeZone }]): [string, CaseDefinition] => [
      name,
      {
        ...{ title, remedy, needs: ['probe', 'team'] },
        async run(trial) {
          const team = present(trial.settings.team)
          if (timeZone && team.users.has(trial.userId)) {
            throw new NotObservable(
              'the user option names an existing user, whose time zone cannot be changed; omit the option',
            )
          }
          const events = await liveDays(team, trial.userId, timeZone)
          if (events.length === 0) {
            throw new NotObservable(
              'the team has no data events; create the team with createMock({ living: true }).team()',
            )
          }
          await sendAll(trial, arrange(events))
          await trial.expectTruth(teamTruth(team, trial.userId))
        },
      },
    ]),
  ),
)

async function sendAll(trial: Trial, events: readonly TeamEvent[]): Promise<void> {
  // Cases that share a user from the options must not share message ids.
  const runId = crypto.randomUUID()
  for (const { id, body } of events) {
    await trial.accept({ id: `${id}_${runId}`, body: JSON.stringify(body) })
  }
}
