/** Thrown when the receiver does not do what a case expects. */
export class ReceiverFailure extends Error {
  /** What to change. Default: the remedy of the case. */
  readonly remedy: string | undefined

  constructor(message: string, remedy?: string) {
    super(message)
    this.remedy = remedy
  }
}

/** Thrown when a case cannot see what it needs to judge the receiver. */
export class NotObservable extends Error {}

/** @throws {ReceiverFailure} with the message unless the condition holds. */
export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ReceiverFailure(message)
}
