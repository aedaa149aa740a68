import type { SentRecord } from './compare.ts'

/** The parts of a mock team that `certify` uses. Create the team with `createMock({ living: true }).team()`. */
export interface CertifyTeam {
  /** The team's users. */
  readonly users: {
    /** Returns whether a user exists. */
    has(userId: string): boolean
    /** Creates a living user, for whom the mock generates health data. */
    create(input: {
      /** The user's id, a UUID. */
      user_id: string
      /** The user's home time zone. Default: the team's time zone. */
      time_zone?: string
    }): unknown
  }
  /** The team's virtual clock. */
  readonly clock: {
    /** Advances the clock by a span such as `2d`. */
    advance(span: `${number}d`): Promise<unknown>
  }
  /** The events sent to the team. */
  readonly events: {
    /** Returns the events, oldest first. */
    list(): readonly TeamEvent[]
  }
  /** Returns a resource's rows as a consumer should have stored them after receiving all of the user's events. */
  truth(userId: string, resource: string): Iterable<SentRecord>
}

/** An event sent to a team. */
export interface TeamEvent {
  /** The message's id. */
  readonly id: string
  /** The event type, such as `daily.data.sleep.created`. */
  readonly event_type: string
  /** The user's id, or undefined if the event has no user. */
  readonly user_id?: string | undefined
  /** The event's body. */
  readonly body: object
}

/**
 * The resources to compare. Samples are not compared, because receivers do not have to store their ids.
 */
const resources = ['sleep', 'activity', 'workouts', 'body', 'meal', 'profile']

/** The minimum and maximum number of days to simulate. */
const days = { least: 2, most: 14 }

/**
 * Simulates days for a user and returns the user's data events for the compared resources. After `days.least` days,
 * stops once a night has been corrected, because without a correction, a receiver that drops corrections would pass.
 */
export async function liveDays(
  team: CertifyTeam,
  userId: string,
  timeZone?: string,
): Promise<readonly TeamEvent[]> {
  if (!team.users.has(userId)) {
    team.users.create({ user_id: userId, ...(timeZone ? { time_zone: timeZone } : {}) })
  }
  const isCorrected = () =>
    eventsOf(team, userId).some(({ event_type }) => event_type === 'daily.data.sleep.updated')
  for (let day = 0; day < days.least || (day < days.most && !isCorrected()); day++) {
    await team.clock.advance('1d')
  }
  return eventsOf(team, userId)
}

function eventsOf(team: CertifyTeam, userId: string): readonly TeamEvent[] {
  return team.events.list().filter(({ user_id, event_type }) => {
    const [, kind, resource = ''] = event_type.split('.')
    return user_id === userId && kind === 'data' && resources.includes(resource)
  })
}

export function teamTruth(team: CertifyTeam, userId: string): readonly SentRecord[] {
  return resources.flatMap((resource) => [...team.truth(userId, resource)])
}
