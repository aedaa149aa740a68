import type { Appointment } from '../../../src/contract/appointments.ts'
import type { OrderResult } from '../../../src/contract/orders.ts'
import type { UserInsurance } from '../../state/records/insurance.ts'
import type { LabOrder } from '../../state/records/orders.ts'
import { JsonView } from '../components/json.tsx'
import { Details, Section } from '../components/panel.tsx'
import { Status } from '../components/status.tsx'
import { DataTable } from '../components/table.tsx'
import { CopyableId, DottedName } from '../components/text.tsx'
import { type FetchedUsers, UserCell } from '../components/user.tsx'
import { escapeHidden, formatDateTime } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'

export function OrderDetail({ order, users }: { order: LabOrder; users: FetchedUsers }) {
  const { send, run } = useTeam()
  const { id, user_id, status, collection_method, results } = order
  const complete = () => send('orders.complete', { params: { id } })
  return (
    <section class="detail" aria-label="Selected order">
      <h2>
        Order <CopyableId value={id} />
      </h2>
      <p class="facts">
        <Status value={status} />
        <span class="hint">{escapeHidden(collection_method).replaceAll('_', ' ')}</span>
        <UserCell users={users} id={user_id} />
      </p>
      <div class="actions">
        {results === null && status !== 'cancelled' && (
          <button type="button" onClick={() => run('Completed the order.', complete)}>
            Complete with results
          </button>
        )}
        <a class="button" href={`#/requests?${new URLSearchParams({ search: id })}`}>
          Show its requests
        </a>
      </div>
      <Life order={order} />
      <Insurances userId={user_id} />
      <Results results={results} />
      <Details title="Patient and address">
        <JsonView value={{ ...order.patient_details, ...order.patient_address }} />
      </Details>
    </section>
  )
}

/** A status change of an order or one of its appointments. */
interface Step {
  at: string
  title: string
  status?: string
}

function Life({ order }: { order: LabOrder }) {
  const { id, events } = order
  const appointments = useFetch('appointments.list', { query: { order_id: id } }) ?? []
  const steps: Step[] = [
    ...events.map(({ status, created_at }) => ({ at: created_at ?? '', title: status ?? '' })),
    ...appointments.flatMap(stepsOf),
  ]
  return (
    <Section title="Timeline">
      <ol class="life">
        {steps
          .toSorted((one, other) => one.at.localeCompare(other.at))
          .map(({ at, title, status }, index) => (
            <li key={index}>
              <time dateTime={at}>{formatDateTime(at)}</time>
              <span>
                {status ? title : <DottedName name={title} />} {status && <Status value={status} />}
              </span>
            </li>
          ))}
      </ol>
    </Section>
  )
}

function stepsOf({ events, start_at }: Appointment): Step[] {
  const start = start_at ? `, starts ${formatDateTime(start_at)}` : ''
  return (events ?? []).map(({ status, created_at }) => ({
    at: created_at ?? '',
    title: `Appointment${status === 'confirmed' ? start : ''}`,
    status: status ?? '',
  }))
}

function Insurances({ userId }: { userId: string }) {
  const insurances = useFetch('insurances.list', { query: { user_id: userId } })
  return (
    <Section title="Insurance" count={insurances?.length ?? 0}>
      {insurances?.length === 0 && <p class="hint">The user has no insurance.</p>}
      {insurances?.map(({ id, insurance }) => (
        <Details key={id} title={insuranceTitle(insurance)}>
          <JsonView value={insurance} />
        </Details>
      ))}
    </Section>
  )
}

function insuranceTitle({ company, member_id }: UserInsurance['insurance']): string {
  return escapeHidden(`${company?.name ?? 'Unknown company'}, member ${member_id ?? '–'}`)
}

function Results({ results }: { results: OrderResult[] | null }) {
  return (
    <Section title="Results" count={results?.length ?? 0}>
      {results ? (
        <DataTable
          caption="Results"
          rows={results}
          keyOf={({ slug, name }) => `${slug} ${name}`}
          columns={[
            { title: 'Marker', cell: ({ name }) => escapeHidden(name ?? '–') },
            { title: 'Result', isNumber: true, cell: ({ result }) => escapeHidden(result ?? '–') },
            { title: 'Unit', cell: ({ unit }) => escapeHidden(unit ?? '') },
          ]}
        />
      ) : (
        <p class="hint">The order has no results until it is completed.</p>
      )}
    </Section>
  )
}
