import type { ControlOutput } from '../../../control/api.ts'
import type { FaultCondition } from '../../../faults/fault.ts'
import { Empty, Panel } from '../../components/panel.tsx'
import { RecordTable, type TableColumn } from '../../components/table.tsx'
import { DottedName } from '../../components/text.tsx'
import { formatNumber } from '../../format.ts'
import { useFetch, useTeam } from '../../team-context.ts'
import { describeEffect } from './fault-effects.ts'
import { FaultForm } from './fault-form.tsx'

type FaultRow = ControlOutput<'faults.list'>[number]

export function FaultsPanel() {
  const { send, run } = useTeam()
  const faults = useFetch('faults.list')
  return (
    <Panel title="Faults">
      <FaultForm />
      <RecordTable
        caption="Faults, in the order in which they apply"
        rows={faults}
        keyOf={({ id }) => String(id)}
        columns={faultColumns}
        empty={
          <Empty title="There are no faults.">
            Add one above to test how your program reacts to it.
          </Empty>
        }
      />
      {faults && faults.length > 1 && (
        <button
          type="button"
          onClick={() => run('Removed all faults.', () => send('faults.clear'))}
        >
          Remove all
        </button>
      )}
    </Panel>
  )
}

const faultColumns: TableColumn<FaultRow>[] = [
  { title: 'On', cell: ({ fault }) => <DottedName name={fault.on ?? '*'} /> },
  { title: 'When', isMinor: true, cell: ({ fault }) => describeCondition(fault.when) },
  { title: 'Effect', cell: ({ fault }) => describeEffect(fault.then) },
  { title: 'Used', isNumber: true, cell: ({ useCount }) => formatNumber(useCount) },
  { title: 'Remove', cell: (row) => <RemoveButton {...row} /> },
]

function RemoveButton({ id, fault }: FaultRow) {
  const { send, run } = useTeam()
  return (
    <button
      type="button"
      aria-label={`Remove the fault on ${fault.on ?? '*'}: ${describeEffect(fault.then)}`}
      onClick={() => run('Removed the fault.', () => send('faults.remove', { params: { id } }))}
    >
      Remove
    </button>
  )
}

function describeCondition(when: FaultCondition | undefined): string {
  if (!when) return 'every request'
  if ('first' in when) return `the first ${when.first}`
  if ('nth' in when) return `only request ${when.nth}`
  return `${formatNumber(when.probability * 100)} % of requests`
}
