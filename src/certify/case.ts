import type { Trial } from './trial.ts'

/** Options that some cases need, each mapped to the skip reason to report when it is missing. */
export const certifyNeeds = {
  probe:
    'there is no probe to read what the receiver stored; pass probe, or --probe <url> to the command',
  team: 'there is no team; pass createMock({ living: true }).team(), or --team living to the command',
  secrets: 'there is only one secret; to check a rotation, pass the old and the new one',
  failure: 'simulate.failure is missing; pass it to make the receiver fail once',
  delay: 'simulate.delay is missing; pass it to slow the receiver down once',
} as const
/** An option that some cases need. */
export type CertifyNeed = keyof typeof certifyNeeds

/** A check for webhook receivers. */
export interface CertifyCase {
  /** The topic and name, such as `signature/wrong-secret`. */
  id: string
  /** What the receiver must do. */
  title: string
  /** The source of the rule: a part of the specification, Standard Webhooks, or an assumption. */
  basis: string
  /** How to fix a receiver that fails the case. */
  remedy: string
  /** The options that the case needs; if one is missing, the case is skipped. */
  needs: readonly CertifyNeed[]
}

export interface RunnableCertifyCase extends CertifyCase {
  /** @throws {ReceiverFailure} when the receiver fails, or {@link NotObservable} when that cannot be determined. */
  run(trial: Trial): Promise<void>
}

/** `basis` defaults to the second argument of {@link defineCertifyCases}, and `needs` to none. */
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

/** Returns a `run` function that sends one event, which the receiver must accept. */
export function accepts(eventOf: (userId: string) => object): RunnableCertifyCase['run'] {
  return async (trial) => {
    await trial.accept(eventOf(trial.userId))
  }
}

export function topicOf({ id }: { id: string }): string {
  return id.slice(0, id.indexOf('/'))
}
