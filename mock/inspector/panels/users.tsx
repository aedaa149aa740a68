import type { User } from '../../state/records/users.ts'
import { Empty, Field, Id, latest, More, Panel, Reading, Table } from '../parts.tsx'
import { useRead, useTeam } from '../team.ts'
import { momentOf, nameOf, visible } from '../words.ts'

/** The users of the team, the latest first. */
export function useUsers(): User[] | undefined {
  return useRead<User[]>(`GET /users?last=${latest}`)?.toReversed()
}

/** Who the team's users are. */
export function UsersPanel() {
  const { ask, act } = useTeam()
  const users = useUsers()
  return (
    <Panel title="Users">
      <UserForm />
      {!users && <Reading />}
      {users?.length === 0 && (
        <Empty title="There are no users yet.">
          Create one above; calls that name an unknown user create it, too.
        </Empty>
      )}
      {users && users.length > 0 && (
        <Table
          caption="Users, the latest first"
          rows={users}
          keyOf={({ user_id }) => user_id}
          columns={[
            { title: 'Name', cell: (user) => <strong>{nameOf(user)}</strong> },
            { title: 'Id', cell: ({ user_id }) => <Id value={user_id} /> },
            { title: 'E-mail', isMinor: true, cell: ({ info }) => visible(info?.email ?? '–') },
            {
              title: 'Born',
              isMinor: true,
              isWhole: true,
              cell: ({ info }) => visible(info?.dob ?? '–'),
            },
            {
              title: 'Created',
              isMinor: true,
              isWhole: true,
              cell: ({ created_at }) => momentOf(created_at),
            },
            {
              title: 'Delete',
              cell: (user) => (
                <button
                  type="button"
                  aria-label={`Delete ${nameOf(user)}`}
                  onClick={() =>
                    act(`Deleted ${nameOf(user)}.`, () =>
                      ask(`DELETE /users/${encodeURIComponent(user.user_id)}`),
                    )
                  }
                >
                  Delete
                </button>
              ),
            },
          ]}
        />
      )}
      <More rows={users} />
    </Panel>
  )
}

function UserForm() {
  const { ask, act } = useTeam()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const said = [...new FormData(form)].filter(([, value]) => value !== '')
    const create = () => ask('POST /users', { info: Object.fromEntries(said) })
    if (await act('Created a user.', create)) form.reset()
  }
  return (
    <form class="line" onSubmit={submit}>
      <Field label="First name">
        <input name="first_name" autocomplete="off" placeholder="Made up" />
      </Field>
      <Field label="Last name">
        <input name="last_name" autocomplete="off" placeholder="Made up" />
      </Field>
      <button type="submit" class="main">
        Create user
      </button>
    </form>
  )
}

interface UserChoiceProps {
  users: readonly User[] | undefined
  /** What stands for none of them; without it one is chosen. */
  none?: string
}

/** A choice of users, by name. */
export function UserChoice({ users, none }: UserChoiceProps) {
  return (
    <Field label="User">
      <select name="user_id" required={none === undefined}>
        {none !== undefined && <option value="">{none}</option>}
        {users?.map((user) => (
          <option key={user.user_id} value={user.user_id}>
            {nameOf(user)}, {visible(user.user_id.slice(0, 8))}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** The name of a user, with the id to copy. */
export function UserCell({ users, id }: { users: readonly User[] | undefined; id: string }) {
  const user = users?.find(({ user_id }) => user_id === id)
  return (
    <span class="who">
      {user?.info && <strong>{nameOf(user)}</strong>} <Id value={id} />
    </span>
  )
}
