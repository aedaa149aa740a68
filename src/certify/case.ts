import type { Trial } from './trial.ts'

/** Reasons for skipping a case, by unmet requirement. */
export const certifyNeeds = {
  probe:
    'probe is missing, so the stored records cannot be read; pass probe, or --probe <url> on the command line',
  team: 'team is missing; pass createMock({ living: true }).team(), or --team living on the command line',
  secrets: 'only one secret was passed; pass the old and the new one to check a rotation',
  failure: 'simulate.failure is missing; pass it to make the receiver fail once',
  delay: 'simulate.delay is missing; pass it to slow the receiver down once',
} as const
/** A requirement of some cases, such as a probe. */
export type CertifyNeed = keyof typeof certifyNeeds

/** A check for webhook receivers. */
export interface CertifyCase {
  /** The topic and name, such as `signature/wrong-secret`. */
  id: string
  /** What the receiver must do. */
  title: string
  /** The source of the rule, such as a part of the specification or an assumption. */
  basis: string
  /** How to fix a receiver that fails the case. */
  remedy: string
  /** The case's requirements. The case is skipped unless all are met. */
  needs: readonly CertifyNeed[]
}

export interface RunnableCertifyCase extends CertifyCase {
  /**
   * @throws {ReceiverFailure} if the receiver fails the case, or {@link NotObservable} if the result cannot be
   * determined.
   */
  run(trial: Trial): Promise<void>
}

/** `basis` defaults to the second argument of {@link defineCertifyCases}. `needs` defaults to an empty list. */
export type CaseDefinition = Omit<RunnableCertifyCase, 'id' | 'basis' | 'needs'> &
  Partial<Pick<RunnableCertifyCase, 'basis' | 'needs'>>

export function defineCertifyCases(
  topic: string,
  basis: string,
  definitions: Record<string, CaseDefinition>,
): RunnableCertifyCase[] {
  return Object.entries(definitions).map(([name, definition]) => ({
    id: `${topic}/${name}`,
    basis,
    needs: [],
    ...definition,
  }))
}

/** Returns a `run` function that sends one event and expects the receiver to accept it. */
export function accepts(eventOf: (userId: string) => object): RunnableCertifyCase['run'] {
  return async (trial) => {
    await trial.accept(eventOf(trial.userId))
  }
}

export function topicOf({ id }: { id: string }): string {
  return id.slice(0, id.indexOf('/'))
}
