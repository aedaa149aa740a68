import { keysOf } from '../../../src/shared/narrow.ts'
import type { SyncCounts } from '../../../src/sync/store-message.ts'

const meanings: Record<keyof SyncCounts, string> = {
  messages: 'Messages that were stored.',
  rows: 'Rows that were sent to the database.',
  failures: 'Attempts that failed.',
  parked: 'Messages that were kept for a retry.',
  unknown: 'Events that were stored unchanged.',
}

export function formatMetrics(counts: SyncCounts): string {
  return keysOf(meanings)
    .map((name) => {
      const metric = `health_lab_sync_${name}_total`
      return `# HELP ${metric} ${meanings[name]}\n# TYPE ${metric} counter\n${metric} ${counts[name]}\n`
    })
    .join('')
}
