import { styleText } from 'node:util'

export class Transcript {
  readonly #print: (line: string) => void
  #steps = 0

  constructor(print: (line: string) => void = console.log) {
    this.#print = print
  }

  part(title: string): void {
    this.#print(`\n${styleText('bold', title)}`)
  }

  /**
   * Runs a step, then prints its title and the lines that it returns.
   *
   * @throws the error of the step, after printing that it failed.
   */
  async step(title: string, run: () => Promise<string | undefined>): Promise<void> {
    try {
      const found = await run()
      this.#steps += 1
      this.#print(`  ${styleText('green', '✓')} ${title}`)
      for (const line of found?.trimEnd().split('\n') ?? []) this.#print(`      ${line}`)
    } catch (error) {
      this.#print(`  ${styleText('red', '✗')} ${title}`)
      throw error
    }
  }

  skip(title: string, reason: string): void {
    this.#print(`  ${styleText('yellow', '-')} ${title}: skipped, ${reason}`)
  }

  end(): void {
    this.#print(`\n${styleText(['bold', 'green'], `${this.#steps} steps passed.`)}`)
  }
}
