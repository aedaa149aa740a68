import type { SentRow } from '../events/arrivals/truth.ts'
import type { Team } from '../team.ts'
import type { Found, StoredRow } from './difference.ts'
import { toInstant } from './row-fields.ts'
import { keyOfInstant } from './row-key.ts'

/** What the advice is derived from. */
interface Compared {
  readonly team: Team
  readonly stored: readonly StoredRow[]
  readonly expected: ReadonlyMap<string, SentRow>
}

/** Returns the sentences that say what else was found, each after a space. */
export function adviceFor({ kind, sent }: Found, compared: Compared): string {
  const reasons = [
    ...(kind === 'lost' && sent ? lossReasons(sent, compared) : []),
    ...(kind === 'lost' || kind === 'stale' ? [pendingAdvice(compared.team)] : []),
  ]
  return reasons
    .filter(Boolean)
    .map((reason) => ` ${reason}`)
    .join('')
}

/** Returns what of a lost row is stored: nothing of its user, or a row with another time or source. */
function lossReasons({ row }: SentRow, { stored, expected }: Compared): string[] {
  const isOfUser = (other: StoredRow) =>
    (other['user_id'] ?? expected.get(keyOfInstant(other) ?? '')?.row.user_id) === row.user_id
  if (!stored.some(isOfUser)) return ['No row of this user is stored.']
  const unknown = stored.filter((other) => !expected.has(keyOfInstant(other) ?? ''))
  const isStored = (replaced: (other: StoredRow) => object) =>
    unknown.some((other) => keyOfInstant({ ...row, ...replaced(other) }) === keyOfInstant(other))
  if (row['timestamp'] === undefined) return []
  if (isStored(({ timestamp }) => ({ timestamp: toInstant(timestamp) }))) {
    return [
      'Rows at other times are stored that no event has brought: check how times are converted.',
    ]
  }
  if (isStored(({ source }) => ({ source }))) {
    return ['A row of the same time with another source is stored: check how sources are stored.']
  }
  return []
}

function pendingAdvice({ webhooks }: Team): string {
  const waiting = webhooks.list().filter(({ isDisabled }) => !isDisabled)
  const count = waiting.reduce((sum, { pending }) => sum + pending, 0)
  if (count === 0) return ''
  const [deliveries, verb] = count === 1 ? ['delivery', 'is'] : ['deliveries', 'are']
  return `${count} ${deliveries} ${verb} still pending: delete the users, so that nothing new arrives, and advance the clock by two days before you compare.`
}
