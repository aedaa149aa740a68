import type { SyncCounts } from '../../../src/sync/counts.ts'

/** What each count means. */
const meanings: Record<keyof SyncCounts, string> = {
  messages: 'Messages that were stored.',
  rows: 'Rows that were sent to the database.',
  failures: 'Attempts that failed.',
  parked: 'Messages that were kept for a retry.',
  unknown: 'Events that were stored unchanged.',
}

/** Returns counts in Prometheus format. */
export function formatMetrics(counts: SyncCounts): string {
  return Object.entries(meanings)
    .map(([name, meaning]) => {
      const metric = `health_lab_sync_${name}_total`
      // Each meaning is that of a count.
      const value = counts[name as keyof SyncCounts]
      return `# HELP ${metric} ${meaning}\n# TYPE ${metric} counter\n${metric} ${value}\n`
    })
    .join('')
}
