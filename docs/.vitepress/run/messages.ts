/** What a program in the sandbox reports to the page. */
export type Report =
  | { kind: 'output'; part: number; text: string }
  | { kind: 'error'; part: number; text: string }
  | { kind: 'done' }

/** The maximum number of lines that a run reports, so that an endless loop does not fill the page. */
export const maxLines = 1000
