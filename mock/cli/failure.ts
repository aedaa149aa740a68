/** Why a command failed, in words for whoever ran it. */
export class Failure extends Error {
  /** 1 when it failed, 2 when it was not understood. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
