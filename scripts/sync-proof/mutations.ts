import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A bug that is planted in sync. */
interface Mutation {
  name: string
  /** The file in `src/sync`. */
  file: string
  /** The string to replace, or the source of a pattern. */
  from: string | { pattern: string }
  to: string
}

function mutation(name: string, file: string, from: string | RegExp, to: string): Mutation {
  // A pattern is passed to another process as JSON.
  return { name, file, from: typeof from === 'string' ? from : { pattern: from.source }, to }
}

export const mutations: readonly Mutation[] = [
  mutation('the older version wins', 'store-rows', "')}) > (${", "')}) < (${"),
  mutation(
    'the last version to arrive wins',
    'store-rows',
    /\nwhere \(\$\{orderOf\('excluded'\).*`/,
    '`',
  ),
  mutation(
    'the first version to arrive wins',
    'store-rows',
    /do update set .*\nwhere .*`/,
    'do nothing`',
  ),
  mutation('the oldest of the versions in one message wins', 'store-rows', '" desc`', '"`'),
  mutation(
    'a tie is not decided by the kind of event',
    'event-rows',
    "type.endsWith('.updated') ||",
    '',
  ),
  mutation('a created record wins over its change', 'event-rows', '? 1 : 0', '? 0 : 1'),
  mutation(
    'a tie is not decided by the time of sending',
    'schema/table-columns',
    "['sync_version', 'sync_rank', 'sync_sent_at']",
    "['sync_version', 'sync_rank']",
  ),
  mutation(
    'the version is the time of creation',
    'rows',
    "record['updated_at'], record['last_sync_at']",
    "record['created_at'], record['last_sync_at']",
  ),
  mutation(
    'times are compared without their offsets',
    'values',
    "offset.replace(/^([+-]\\d\\d)(\\d\\d)$/, '$1:$2').toUpperCase()",
    "'Z'",
  ),
  mutation('an appointment has the time of its first step', 'rows', '.at(-1)', '.at(0)'),
  mutation(
    'two sources of a sample are one row',
    'schema/tables',
    "['source_provider', 'source_type', 'source_app_id']",
    '[]',
  ),
  mutation(
    'only the first record of a message is stored',
    'event-rows',
    'const records = recordsOf(event)',
    'const records = recordsOf(event).slice(0, 1)',
  ),
  mutation(
    'events of historical data are dropped',
    'event-rows',
    "if (family === 'data')",
    "if (type.startsWith('historical.')) return nothing\n  if (family === 'data')",
  ),
  mutation(
    'an unknown event is dropped',
    'store-message',
    'if (unknown) await this.#storeUnknown',
    'if (false) await this.#storeUnknown',
  ),
  mutation(
    'unknown fields are dropped',
    'rows',
    '    record,\n',
    '    record: Object.fromEntries(Object.entries(record).filter(([name]) => [...table.known, ...table.columns.map(({ path }) => path[0]), "id", "source", "user_id"].includes(name))),\n',
  ),
  mutation(
    'a claim without a transaction',
    'listeners',
    'const result = await store.handle(id, async (tx) => {',
    "const result = await store.claim(id, '')\n    if (result === 'claimed') await store.handle(id + ' again', async (tx) => {",
  ),
  mutation(
    'a failed message is acknowledged',
    'listeners',
    'if (!message || !isLasting(error) || !(await failed.add(message, error))) throw error',
    "if (Math.abs(1) === 1) return 'claimed' as const",
  ),
  mutation(
    'a message is parked after its first failure',
    'failed-messages',
    '>= maxAttempts',
    '>= 1',
  ),
  mutation(
    'retry does not store',
    'failed-messages',
    'return message && this.#writer.store(tx, message)',
    "if (message) await tx.query('delete from health.failed_messages where message_id = $1', [message.id])\n          return message && (() => {})",
  ),
  mutation(
    'a stored message stays in failed_messages',
    'store-message',
    /with listed as \(.*?\) `/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it becomes source
    'with listed as (update ${schema}.failed_messages set failed_at = clock_timestamp() where message_id = $2) `',
  ),
  mutation(
    'forget leaves samples',
    'removal',
    'const names = [...listTables().map(({ name }) => name), ...stateTables]',
    "const names = [...listTables().map(({ name }) => name).filter((name) => name !== 'samples'), ...stateTables]",
  ),
  mutation(
    'what arrives after forget is stored',
    'store-rows',
    /not exists \(select from \$\{schema\}\.forgotten[^`]*/,
    'true',
  ),
  mutation(
    'unknown events are stored after forget',
    'store-message',
    /where \$\{isAboutNoForgotten.*\n/,
    'where $7::text is not null\n',
  ),
  mutation(
    'disconnect forgets to delete',
    'removal',
    "if (onDisconnect === 'keep') return",
    "if (onDisconnect !== 'keep' || true) return",
  ),
  mutation(
    'what arrives after disconnect is stored',
    'store-rows',
    'where gone.user_id = $2::text::uuid',
    'where false and gone.user_id = $2::text::uuid',
  ),
  mutation(
    'a reconnected provider stays removed',
    'store-message',
    'if (connected !== undefined) await',
    'if (false) await',
  ),
  mutation(
    'an old connection event ends a removal',
    'store-message',
    "and date_trunc('second', disconnected_at) <= $3::text::timestamptz",
    'and $3::text is not null',
  ),
  mutation(
    'backfill skips days between requests',
    'read-records',
    '(rangeDays - 1) * day, end',
    '(rangeDays - 3) * day, end',
  ),
  mutation(
    'backfill saves its position before the request',
    'backfill',
    'const { user_id, resource } = step\n',
    'const { user_id, resource } = step\n  await savePosition(database, schema, step)\n',
  ),
  mutation('verify does not repair', 'verify', 'await storeRows(tx, schema, batch)', ''),
  mutation(
    'verify does not count missing records',
    'verify',
    'const faults = found.missing + found.stale',
    'const faults = found.stale',
  ),
]

if (process.argv[1] === new URL(import.meta.url).pathname) run(process.argv.slice(2).join(' '))

/**
 * Plants each mutation whose name contains a word, or each one, and explores and certifies sync with it: `npm run lab
 * sync-mutations`. Exits with 1 if a mutation is not detected.
 */
function run(wanted: string): void {
  let missed = 0
  const selected = mutations.filter(({ name }) => name.includes(wanted))
  for (const mutation of selected) {
    const path = new URL('judge.ts', import.meta.url).pathname
    const judge = spawnSync(process.execPath, [path, JSON.stringify(mutation)], {
      encoding: 'utf8',
    })
    const [line = 'no result'] = judge.stdout.trim().split('\n').slice(-1)
    if (judge.status !== 3) missed += 1
    console.log(`${judge.status === 3 ? 'caught' : 'MISSED'}  ${mutation.name}: ${line}`)
    if (judge.status !== 3) console.error(judge.stderr)
  }
  console.log(`${selected.length - missed} of ${selected.length} caught`)
  process.exitCode = missed === 0 ? 0 : 1
}

export function planted({ file, from, to }: Mutation): string {
  const source = readFileSync(new URL(`../../src/sync/${file}.ts`, import.meta.url), 'utf8')
  const changed = source.replace(
    typeof from === 'string' ? from : new RegExp(from.pattern),
    () => to,
  )
  if (changed === source) throw new Error(`Nothing to change in ${file}.`)
  return changed
}
