import { runCases } from './certify.ts'
import { type ReceiverCheck, receiverChecks, withoutCheck } from './mutations.ts'
import { type CertifyOptions, parseCertifyOptions } from './options.ts'
import { type CertifyReport, toTable } from './report.ts'

/** The result of bypassing one receiver check. */
export interface MutationResult {
  /** The bypassed check. */
  check: ReceiverCheck
  /** How certify changed the messages to bypass the check. */
  change: string
  /** What to do if no case detects the change. */
  hint: string
  /** The ids of the cases that pass with the check and fail without it. */
  noticedBy: string[]
}

/** The cases that cover each receiver check, as plain JSON. */
export interface MutationReport {
  /** The report of the run with unchanged messages. */
  certified: CertifyReport
  /** One result per check, or none if no case passed. */
  results: MutationResult[]
}

const changes: Record<ReceiverCheck, { change: string; hint: string }> = {
  signature: {
    change: 'Signs every message, even forgeries',
    hint: 'Run the signature cases.',
  },
  time: {
    change: 'Signs every genuine message with the current time',
    hint: 'Run the timestamp cases.',
  },
  dedupe: {
    change: 'Gives each delivery of a message a new id',
    hint: 'Upserting records by id hides duplicates. Return handled from the probe to detect messages that are handled twice.',
  },
  order: {
    change: 'Sets a later updated_at in the records of each message',
    hint: "Pass a probe whose records have the event's fields, such as score and updated_at.",
  },
  type: {
    change: 'Sends each message as daily.data.sleep.created',
    hint: 'This result is expected if the receiver handles all types in the same way. Otherwise, return records of other types from the probe.',
  },
}

/**
 * Finds the cases that cover each receiver check. Runs the cases with unchanged messages, then the passed cases once
 * per check with that check bypassed. To bypass a check, certify changes the messages: for example, it signs forgeries
 * and gives duplicates new ids.
 *
 * @throws {TypeError} for an invalid or unknown option.
 * @throws {EventError} `secret_invalid` for a missing or malformed secret.
 * @example
 * const handler = eventHandler({ secrets, on: {}, fallback: () => {} })
 * console.log(toMutationTable(await certifyMutations({ handler, secret: secrets })))
 */
export async function certifyMutations(options: CertifyOptions): Promise<MutationReport> {
  const settings = parseCertifyOptions(options)
  const certified = await runCases(settings)
  const only = certified.results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id)
  const results: MutationResult[] = []
  for (const check of receiverChecks) {
    // An empty `only` would select all cases.
    if (only.length === 0) break
    const { results: without } = await runCases({ ...withoutCheck(settings, check), only })
    const failed = without.filter(({ outcome }) => outcome === 'failed')
    results.push({ check, ...changes[check], noticedBy: failed.map(({ id }) => id) })
  }
  return { certified, results }
}

/**
 * Formats a report as a table for a terminal: the result for unchanged messages, and the cases that detect each bypass.
 */
export function toMutationTable({ certified, results }: MutationReport): string {
  const lines = results.flatMap(({ check, change, hint, noticedBy }) => [
    `${check.padEnd(9)}  ${change}`,
    `${' '.repeat(11)}${noticedBy.length > 0 ? describeCases(noticedBy) : `No case detects this. ${hint}`}`,
  ])
  return `${toTable(certified, { quiet: true })}\nWithout one check:\n${lines.join('\n')}\n`
}

function describeCases(ids: readonly string[]): string {
  const [first = '', second, third] = ids
  const shown = [first, second, third].filter((id) => id !== undefined).join(', ')
  const others = ids.length - 3
  const more = others > 0 ? ` and ${others} more` : ''
  return `${ids.length === 1 ? '1 case detects this' : `${ids.length} cases detect this`}: ${shown}${more}`
}
