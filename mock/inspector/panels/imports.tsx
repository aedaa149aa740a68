import type { BulkOpSummary } from '../api-client.ts'
import { Empty, Panel } from '../components/panel.tsx'
import { Status } from '../components/status.tsx'
import { RecordTable, type TableColumn, timeColumn } from '../components/table.tsx'
import { CopyableId } from '../components/text.tsx'
import { escapeHidden, formatNumber } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'

export function ImportsPanel() {
  const { pulse } = useTeam()
  const imports = useFetch('bulkOps.summaries', {}, pulse.now)
  return (
    <Panel title="Bulk imports">
      <RecordTable
        caption="Bulk imports, latest first"
        rows={imports?.toReversed()}
        keyOf={({ id }) => id}
        columns={importColumns}
        empty={
          <Empty title="There are no bulk imports yet.">
            Each <code>POST /v2/link/bulk_import</code> appears here with its progress. Set the{' '}
            <a href="#/clock">clock</a> to manual to follow it step by step.
          </Empty>
        }
      />
    </Panel>
  )
}

const importColumns: TableColumn<BulkOpSummary>[] = [
  { title: 'Provider', cell: ({ provider }) => <code>{escapeHidden(provider)}</code> },
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  { title: 'Processed', isNumber: true, cell: (summary) => <Progress {...summary} /> },
  { title: 'Failed', isNumber: true, isMinor: true, cell: ({ failed }) => formatNumber(failed) },
  timeColumn('Started', ({ started_at }) => started_at),
  timeColumn('Ended', ({ ended_at }) => ended_at),
  { title: 'Id', isMinor: true, cell: ({ id }) => <CopyableId value={id} /> },
  { title: 'Abort', cell: (summary) => <AbortButton {...summary} /> },
]

function Progress({ processed, total, provider }: BulkOpSummary) {
  return (
    <>
      <progress
        aria-label={`Progress of the ${escapeHidden(provider)} import`}
        value={processed}
        max={Math.max(total, 1)}
      />{' '}
      {formatNumber(processed)} of {formatNumber(total)}
    </>
  )
}

function AbortButton({ id, status, provider }: BulkOpSummary) {
  const { send, run } = useTeam()
  if (status !== 'in_progress') return <span class="hint">–</span>
  return (
    <button
      type="button"
      aria-label={`Abort the import of ${provider}`}
      onClick={() => run('Aborted the import.', () => send('bulkOps.abort', { params: { id } }))}
    >
      Abort
    </button>
  )
}
