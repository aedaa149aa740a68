import { readFileSync } from 'node:fs'

/** Reads the instructions of a Dockerfile, such as `USER node`. */
export function readDockerfile(path: string) {
  const joined = readFileSync(path, 'utf8').replaceAll(/\\\n\s*/g, '')
  const instructions = joined.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

  const all = (name: string) =>
    instructions
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1))

  /** Assumes that there is at most one instruction with this name. */
  const argumentsOf = (name: string): string => all(name)[0] ?? ''

  /** For instructions with a JSON array, such as `CMD`. */
  const wordsOf = (name: string): string[] => {
    const text = argumentsOf(name)
    return JSON.parse(text.slice(text.indexOf('[')))
  }

  /** Returns the variables that `ENV` sets. */
  const variables = (): Record<string, string> =>
    Object.fromEntries(
      argumentsOf('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    )

  return { all, argumentsOf, wordsOf, variables }
}
