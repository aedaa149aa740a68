/** Why a mutant survives: no test through a public face can tell it from the code. */
export interface Survivor {
  file: string
  /** What was replaced; all its spaces as one. */
  original: string
  /** By what; left out where every replacement is meant. */
  replacement?: string
  why: string
}

export const survivors: Survivor[] = []
