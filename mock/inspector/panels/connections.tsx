import type { Connection } from '../../state/records/link.ts'
import { Field, Form } from '../components/form.tsx'
import { Empty, Panel } from '../components/panel.tsx'
import { RecordTable, recordLimit, type TableColumn, timeColumn } from '../components/table.tsx'
import { CopyableId } from '../components/text.tsx'
import { type FetchedUsers, UserCell, UserSelect, useUsers } from '../components/user.tsx'
import { escapeHidden } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'

export function ConnectionsPanel() {
  const users = useUsers()
  const connections = useFetch('connections.list', { query: { last: recordLimit } })
  return (
    <Panel title="Connections">
      <ConnectForm users={users} />
      <RecordTable
        caption="Connections, latest first"
        rows={connections?.toReversed()}
        keyOf={({ user_id, provider }) => `${user_id}/${provider}`}
        columns={columnsOf(users)}
        empty={
          <Empty title="There are no connections yet.">
            Connect a user above. The mock then sends the events for the new connection and for the
            user’s data.
          </Empty>
        }
      />
    </Panel>
  )
}

function columnsOf(users: FetchedUsers): TableColumn<Connection>[] {
  return [
    { title: 'User', cell: ({ user_id }) => <UserCell users={users} id={user_id} /> },
    { title: 'Provider', cell: ({ provider }) => <code>{escapeHidden(provider)}</code> },
    {
      title: 'Provider’s user id',
      isMinor: true,
      cell: ({ provider_id }) => <CopyableId value={provider_id} />,
    },
    {
      title: 'Scopes',
      isMinor: true,
      cell: ({ oauth_scopes }) => escapeHidden(oauth_scopes?.join(', ') ?? '–'),
    },
    timeColumn('Since', ({ created_at }) => created_at),
    { title: 'Disconnect', cell: (connection) => <DisconnectButton {...connection} /> },
  ]
}

function DisconnectButton({ user_id, provider }: Connection) {
  const { send, run } = useTeam()
  const disconnect = () => send('connections.delete', { params: { user_id, provider } })
  return (
    <button
      type="button"
      aria-label={`Disconnect ${provider}`}
      onClick={() => run(`Disconnected ${escapeHidden(provider)}.`, disconnect)}
    >
      Disconnect
    </button>
  )
}

function ConnectForm({ users }: { users: FetchedUsers }) {
  const { send, run } = useTeam()
  const providers = useFetch('providers.list')
  const submit = (values: FormData) => {
    const provider = String(values.get('provider'))
    const body = { user_id: String(values.get('user_id')), provider }
    return run(`Connected ${provider}.`, () => send('connections.create', { body }))
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
