import type { TeamProvider } from '../../data/providers.ts'
import type { Connection } from '../../state/records/link.ts'
import { Field, Form } from '../components/form.tsx'
import { Empty, Panel } from '../components/panel.tsx'
import { RecordTable, recordLimit, type TableColumn } from '../components/table.tsx'
import { CopyableId } from '../components/text.tsx'
import { UserCell, UserSelect, type Users, useUsers } from '../components/user.tsx'
import { escapeHidden, formatDateTime } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'

/** Lists, creates and deletes the connections of users to providers. */
export function ConnectionsPanel() {
  const users = useUsers()
  const connections = useFetch<Connection[]>(`GET /connections?last=${recordLimit}`)
  return (
    <Panel title="Connections">
      <ConnectForm users={users} />
      <RecordTable
        caption="Connections, the latest first"
        rows={connections?.toReversed()}
        keyOf={({ user_id, provider }) => `${user_id}/${provider}`}
        columns={columnsOf(users)}
        empty={
          <Empty title="There are no connections yet.">
            Connect a user above. The mock then sends the events of a new connection and of the
            user’s data.
          </Empty>
        }
      />
    </Panel>
  )
}

function columnsOf(users: Users): TableColumn<Connection>[] {
  return [
    { title: 'User', cell: ({ user_id }) => <UserCell users={users} id={user_id} /> },
    { title: 'Provider', cell: ({ provider }) => <code>{escapeHidden(provider)}</code> },
    {
      title: 'Id at the provider',
      isMinor: true,
      cell: ({ provider_id }) => <CopyableId value={provider_id} />,
    },
    {
      title: 'Scopes',
      isMinor: true,
      cell: ({ oauth_scopes }) => escapeHidden(oauth_scopes?.join(', ') ?? '–'),
    },
    {
      title: 'Since',
      isMinor: true,
      isUnbroken: true,
      cell: ({ created_at }) => formatDateTime(created_at),
    },
    { title: 'Disconnect', cell: (connection) => <DisconnectButton {...connection} /> },
  ]
}

function DisconnectButton({ user_id, provider }: Connection) {
  const { send, run } = useTeam()
  const path = `/connections/${encodeURIComponent(user_id)}/${encodeURIComponent(provider)}`
  return (
    <button
      type="button"
      aria-label={`Disconnect ${provider}`}
      onClick={() => run(`Disconnected ${escapeHidden(provider)}.`, () => send(`DELETE ${path}`))}
    >
      Disconnect
    </button>
  )
}

function ConnectForm({ users }: { users: Users }) {
  const { send, run } = useTeam()
  const providers = useFetch<TeamProvider[]>('GET /providers')
  const submit = (values: FormData) => {
    const connection = Object.fromEntries(values)
    return run(`Connected ${connection['provider']}.`, () => send('POST /connections', connection))
  }
  return (
    <Form submit={submit}>
      <UserSelect users={users} />
      <Field label="Provider">
        <select name="provider">
          {providers?.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {escapeHidden(name)}
            </option>
          ))}
        </select>
      </Field>
      <button type="submit" class="main" disabled={!users?.length}>
        Connect
      </button>
      {users?.length === 0 && (
        <p class="hint">
          First <a href="#/users">create a user</a>.
        </p>
      )}
    </Form>
  )
}
