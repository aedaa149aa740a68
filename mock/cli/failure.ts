/** The reason why a command failed, for the person who runs it. */
export class CommandFailure extends Error {
  /** 1 if the command failed, 2 if its arguments are invalid. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
