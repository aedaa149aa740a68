import { keysOf } from '../../../src/shared/narrow.ts'
import type { SyncCounts } from '../../../src/sync/store-message.ts'

const meanings: Record<keyof SyncCounts, string> = {
  messages: 'Messages stored.',
  rows: 'Rows sent to the database.',
  failures: 'Failed attempts.',
  parked: 'Messages kept for a retry.',
  unknown: 'Events stored unchanged.',
}

export function formatMetrics(counts: SyncCounts): string {
  return keysOf(meanings)
    .map((name) => {
      const metric = `health_lab_sync_${name}_total`
      return `# HELP ${metric} ${meanings[name]}\n# TYPE ${metric} counter\n${metric} ${counts[name]}\n`
    })
    .join('')
}
