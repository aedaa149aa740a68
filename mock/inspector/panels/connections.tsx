import type { TeamProvider } from '../../data/providers.ts'
import type { Connection } from '../../state/records/link.ts'
import { Empty, Field, Id, latest, More, Panel, Reading, Table } from '../parts.tsx'
import { useRead, useTeam } from '../team.ts'
import { momentOf, visible } from '../words.ts'
import { UserCell, UserChoice, useUsers } from './users.tsx'

/** Which users are connected to which providers. */
export function ConnectionsPanel() {
  const { ask, act } = useTeam()
  const users = useUsers()
  const connections = useRead<Connection[]>(`GET /connections?last=${latest}`)?.toReversed()
  const disconnect = ({ user_id, provider }: Connection) =>
    act(`Disconnected ${visible(provider)}.`, () =>
      ask(`DELETE /connections/${encodeURIComponent(user_id)}/${encodeURIComponent(provider)}`),
    )
  return (
    <Panel title="Connections">
      <ConnectForm users={users} />
      {!connections && <Reading />}
      {connections?.length === 0 && (
        <Empty title="Nobody is connected yet.">
          Connect a user above: the events of a new connection are sent, with the user’s data.
        </Empty>
      )}
      {connections && connections.length > 0 && (
        <Table
          caption="Connections, the latest first"
          rows={connections}
          keyOf={({ user_id, provider }) => `${user_id}/${provider}`}
          columns={[
            { title: 'User', cell: ({ user_id }) => <UserCell users={users} id={user_id} /> },
            { title: 'Provider', cell: ({ provider }) => <code>{visible(provider)}</code> },
            {
              title: 'Id at the provider',
              isMinor: true,
              cell: ({ provider_id }) => <Id value={provider_id} />,
            },
            {
              title: 'Scopes',
              isMinor: true,
              cell: ({ oauth_scopes }) => visible(oauth_scopes?.join(', ') ?? '–'),
            },
            {
              title: 'Since',
              isMinor: true,
              isWhole: true,
              cell: ({ created_at }) => momentOf(created_at),
            },
            {
              title: 'Disconnect',
              cell: (connection) => (
                <button
                  type="button"
                  aria-label={`Disconnect ${connection.provider}`}
                  onClick={() => disconnect(connection)}
                >
                  Disconnect
                </button>
              ),
            },
          ]}
        />
      )}
      <More rows={connections} />
    </Panel>
  )
}

function ConnectForm({ users }: { users: ReturnType<typeof useUsers> }) {
  const { ask, act } = useTeam()
  const providers = useRead<TeamProvider[]>('GET /providers')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const said = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement))
    void act(`Connected ${said['provider']}.`, () => ask('POST /connections', said))
  }
  return (
    <form class="line" onSubmit={submit}>
      <UserChoice users={users} />
      <Field label="Provider">
        <select name="provider">
          {providers?.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {visible(name)}
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
    </form>
  )
}
