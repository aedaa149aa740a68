/** Why a mutant survives: no test through a public face can tell it from the code. */
export interface Survivor {
  file: string
  /** What was replaced; all its spaces as one. */
  original: string
  /** By what; left out where every replacement is meant. */
  replacement?: string
  why: string
}

const marker = '"Stryker was here!"'

export const survivors: Survivor[] = [
  {
    file: 'mock/query/where.ts',
    original: "''",
    replacement: marker,
    why: 'never read: the end has no text, and a token that was found has one',
  },
  {
    file: 'mock/query/where.ts',
    original: 'kind',
    replacement: 'true',
    why: 'the same: what the pattern matches is of one of the kinds',
  },
  {
    file: 'src/retry.ts',
    original: "''",
    replacement: marker,
    why: 'the same: neither text is a number or a date',
  },
  {
    file: 'src/retry.ts',
    original: 'status === undefined',
    replacement: 'false',
    why: 'the same: no comparison with a number holds for undefined, which leaves `unknown`',
  },
]
