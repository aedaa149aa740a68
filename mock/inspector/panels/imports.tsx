import type { BulkOpSummary } from '../../control/operations/bulk-ops.ts'
import { Empty, Id, Panel, Reading, Status, Table } from '../parts.tsx'
import { useRead, useTeam } from '../team.ts'
import { momentOf, numberOf, visible } from '../words.ts'

/** How far bulk imports are. */
export function ImportsPanel() {
  const { ask, act, pulse } = useTeam()
  const ops = useRead<BulkOpSummary[]>('GET /bulk_ops/summaries', pulse.now)?.toReversed()
  return (
    <Panel title="Bulk imports">
      {!ops && <Reading />}
      {ops?.length === 0 && (
        <Empty title="No bulk import has begun.">
          Each <code>POST /v2/link/bulk_import</code> stands here, with how far it is. With a manual{' '}
          <a href="#/clock">clock</a> you see it step by step.
        </Empty>
      )}
      {ops && ops.length > 0 && (
        <Table
          caption="Bulk imports, the latest first"
          rows={ops}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Provider', cell: ({ provider }) => <code>{visible(provider)}</code> },
            { title: 'Status', cell: ({ status }) => <Status word={status} /> },
            {
              title: 'Processed',
              isNumber: true,
              cell: ({ processed, total, provider }) => (
                <>
                  <progress
                    aria-label={`Processed of ${visible(provider)}`}
                    value={processed}
                    max={Math.max(total, 1)}
                  />{' '}
                  {numberOf(processed)} of {numberOf(total)}
                </>
              ),
            },
            {
              title: 'Failed',
              isNumber: true,
              isMinor: true,
              cell: ({ failed }) => numberOf(failed),
            },
            {
              title: 'Started',
              isMinor: true,
              isWhole: true,
              cell: ({ started_at }) => momentOf(started_at),
            },
            {
              title: 'Ended',
              isMinor: true,
              isWhole: true,
              cell: ({ ended_at }) => momentOf(ended_at),
            },
            { title: 'Id', isMinor: true, cell: ({ id }) => <Id value={id} /> },
            {
              title: 'Abort',
              cell: ({ id, status, provider }) =>
                status === 'in_progress' ? (
                  <button
                    type="button"
                    aria-label={`Abort the import of ${provider}`}
                    onClick={() =>
                      act('Aborted the import.', () => ask(`POST /bulk_ops/${id}/abort`))
                    }
                  >
                    Abort
                  </button>
                ) : (
                  <span class="hint">–</span>
                ),
            },
          ]}
        />
      )}
    </Panel>
  )
}
