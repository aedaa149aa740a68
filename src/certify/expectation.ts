export class ReceiverFailure extends Error {
  /** How to fix the receiver. If undefined, the `remedy` of the case applies. */
  readonly remedy: string | undefined

  constructor(message: string, remedy?: string) {
    super(message)
    this.remedy = remedy
  }
}

/** Thrown when it is unclear whether the receiver passes, for example because the probe returns no records. */
export class NotObservable extends Error {}

export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ReceiverFailure(message)
}
