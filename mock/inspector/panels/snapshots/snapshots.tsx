import { useState } from 'preact/hooks'
import type { Snapshot } from '../../../snapshot/snapshot.ts'
import { ChangeView } from '../../components/change.tsx'
import { Field, Form, Options } from '../../components/form.tsx'
import { Empty, Panel } from '../../components/panel.tsx'
import { DataTable, type TableColumn } from '../../components/table.tsx'
import { CopyButton } from '../../components/text.tsx'
import { escapeHidden, formatCount, formatDateTime, formatNumber } from '../../format.ts'
import { useTeam } from '../../team-context.ts'
import { type Comparison, compareSnapshots } from './compare.ts'
import { type KeptSnapshot, useKeptSnapshots } from './kept-snapshots.ts'

export function SnapshotsPanel() {
  const { send, run } = useTeam()
  const { kept, keep, remove } = useKeptSnapshots()
  const take = () => run('Took a snapshot.', async () => keep(await send('snapshot')))
  const line = async () => (await send('reproduction')).line
  const reset = () => {
    if (
      !confirm('Reset the team? This deletes its records, events, webhooks, faults and requests.')
    )
      return
    void run('Reset the team.', () => send('reset'))
  }
  return (
    <Panel
      title="Snapshots"
      hint="A snapshot contains the team’s records, time, events and webhooks, but not its faults or requests."
    >
      <div class="actions">
        <button type="button" class="main" onClick={take}>
          Take a snapshot
        </button>
        <FileButton />
        <CopyButton name="reproduction" text={line}>
          Copy reproduction
        </CopyButton>
        <button type="button" class="danger push" onClick={reset}>
          Reset the team
        </button>
      </div>
      {kept.length === 0 ? (
        <Empty title="This tab has no snapshots yet.">
          Take one, change something, and compare. Closing or reloading the tab deletes its
          snapshots; download the ones you need later.
        </Empty>
      ) : (
        <>
          <DataTable
            caption="Snapshots in this tab, oldest first"
            rows={kept}
            keyOf={({ number }) => String(number)}
            columns={columnsOf(remove)}
          />
          <CompareForm kept={kept} />
        </>
      )}
    </Panel>
  )
}

function columnsOf(remove: (number: number) => void): TableColumn<KeptSnapshot>[] {
  return [
    { title: 'Snapshot', cell: ({ number }) => <strong>Snapshot {number}</strong> },
    { title: 'Time', isUnbroken: true, cell: ({ snapshot }) => formatDateTime(snapshot.now) },
    {
      title: 'Records',
      isNumber: true,
      isMinor: true,
      cell: ({ snapshot }) =>
        formatNumber(Object.values(snapshot.records).reduce((sum, { length }) => sum + length, 0)),
    },
    {
      title: 'Events',
      isNumber: true,
      isMinor: true,
      cell: ({ snapshot }) => formatNumber(snapshot.outbox.count),
    },
    { title: 'Use', cell: (kept) => <SnapshotActions {...kept} remove={remove} /> },
  ]
}

function SnapshotActions({
  number,
  snapshot,
  remove,
}: KeptSnapshot & { remove: (number: number) => void }) {
  const { send, run } = useTeam()
  const download = () => {
    const blob = new Blob([JSON.stringify(snapshot)], { type: 'application/json' })
    const url = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = url
    link.download = `snapshot-${number}.json`
    link.click()
    URL.revokeObjectURL(url)
  }
  const restore = () =>
    run(`Restored snapshot ${number}.`, () => send('restore', { body: snapshot }))
  return (
    <span class="actions">
      <button type="button" aria-label={`Restore snapshot ${number}`} onClick={restore}>
        Restore
      </button>
      <button type="button" aria-label={`Download snapshot ${number}`} onClick={download}>
        Download
      </button>
      <button type="button" aria-label={`Remove snapshot ${number}`} onClick={() => remove(number)}>
        Remove
      </button>
    </span>
  )
}

function FileButton() {
  const { send, run } = useTeam()
  const restore = (file: File) =>
    run(`Restored ${file.name}.`, async () => {
      // The mock checks the snapshot.
      const snapshot: Snapshot = JSON.parse(await file.text())
      await send('restore', { body: snapshot })
    })
  return (
    <label class="button">
      Restore a file
      <input
        type="file"
        accept="application/json,.json"
        class="hidden"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) void restore(file)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

function CompareForm({ kept }: { kept: readonly KeptSnapshot[] }) {
  const { send, run } = useTeam()
  const [comparison, setComparison] = useState<Comparison>()
  const read = async (name: string) =>
    kept.find(({ number }) => String(number) === name)?.snapshot ?? (await send('snapshot'))
  const submit = (values: FormData) =>
    run('Compared the snapshots.', async () => {
      const [before, after] = [String(values.get('before')), String(values.get('after'))]
      setComparison(compareSnapshots(await read(before), await read(after)))
    })
  return (
    <section class="block">
      <h2>Compare</h2>
      <Form submit={submit}>
        <SnapshotSelect name="before" label="Before" kept={kept} />
        <SnapshotSelect name="after" label="After" kept={kept} selected="now" />
        <button type="submit">Compare</button>
      </Form>
      {comparison && <ComparisonView {...comparison} />}
    </section>
  )
}

interface SnapshotSelectProps {
  name: string
  label: string
  kept: readonly KeptSnapshot[]
  selected?: string
}

function SnapshotSelect({ name, label, kept, selected }: SnapshotSelectProps) {
  return (
    <Field label={label}>
      <select name={name}>
        <Options
          names={kept.map(({ number }) => String(number))}
          titleOf={(number) => `Snapshot ${number}`}
        />
        <option value="now" selected={selected === 'now'}>
          The team now
        </option>
      </select>
    </Field>
  )
}

const changeLimit = 200

export function ComparisonView({ changes, facts }: Comparison) {
  if (changes.length === 0 && facts.length === 0) return <Empty title="Nothing differs." />
  return (
    <div class="comparison">
      <dl class="pairs">
        {facts.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <del>{escapeHidden(before)}</del> <span aria-hidden="true">→</span>{' '}
              <ins>{escapeHidden(after)}</ins>
            </dd>
          </div>
        ))}
      </dl>
      <h3>{formatCount(changes.length, 'record')}</h3>
      {changes.slice(0, changeLimit).map((change) => (
        <ChangeView key={`${change.collection} ${change.key}`} change={change} />
      ))}
      {changes.length > changeLimit && <p class="hint">Showing the first {changeLimit}.</p>}
    </div>
  )
}
