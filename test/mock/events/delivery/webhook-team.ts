import { createMock, type Team } from '../../../../mock/index.ts'
import { eventHandler, type ServiceEvent } from '../../../../src/events/index.ts'

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export function teamOf(): Team {
  return createMock({ seed: 9 }).team({ clock: 'manual' })
}

export const respond = (status: number) => new Response(null, { status })

/** A receiver that responds with these statuses in turn, then always with the last one. */
export function scripted(...statuses: number[]) {
  const requests: Request[] = []
  const handler = (request: Request) => {
    requests.push(request)
    return respond(statuses[Math.min(requests.length, statuses.length) - 1] ?? 200)
  }
  return { requests, handler }
}

/** A receiver that verifies events, with the numbers of the handled ones. */
export function careful() {
  const handled: unknown[] = []
  const fallback = (event: ServiceEvent) => handled.push(event['nth'])
  return { handled, handler: eventHandler({ secrets: secret, on: {}, fallback }) }
}

export function send(team: Team, count: number): void {
  for (let nth = 1; nth <= count; nth += 1) team.trigger('test.event', { nth }, { unknown: true })
}
