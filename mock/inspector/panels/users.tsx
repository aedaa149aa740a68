import type { User } from '../../state/records/users.ts'
import { Field, Form } from '../components/form.tsx'
import { Empty, Panel } from '../components/panel.tsx'
import { RecordTable, type TableColumn, timeColumn } from '../components/table.tsx'
import { CopyableId } from '../components/text.tsx'
import { useUsers } from '../components/user.tsx'
import { displayName, escapeHidden } from '../format.ts'
import { useTeam } from '../team-context.ts'

export function UsersPanel() {
  return (
    <Panel title="Users">
      <UserForm />
      <RecordTable
        caption="Users, latest first"
        rows={useUsers()}
        keyOf={({ user_id }) => user_id}
        columns={userColumns}
        empty={
          <Empty title="There are no users yet.">
            Create one above. A request with an unknown user id also creates the user.
          </Empty>
        }
      />
    </Panel>
  )
}

const userColumns: TableColumn<User>[] = [
  { title: 'Name', cell: (user) => <strong>{displayName(user)}</strong> },
  { title: 'Id', cell: ({ user_id }) => <CopyableId value={user_id} /> },
  { title: 'Email', isMinor: true, cell: ({ info }) => escapeHidden(info?.email ?? '–') },
  {
    title: 'Date of birth',
    isMinor: true,
    isUnbroken: true,
    cell: ({ info }) => escapeHidden(info?.dob ?? '–'),
  },
  timeColumn('Created', ({ created_at }) => created_at),
  { title: 'Delete', cell: (user) => <DeleteButton user={user} /> },
]

function DeleteButton({ user }: { user: User }) {
  const { send, run } = useTeam()
  const name = displayName(user)
  const remove = () => send('users.delete', { params: { user_id: user.user_id } })
  return (
    <button
      type="button"
      aria-label={`Delete ${name}`}
      onClick={() => run(`Deleted ${name}.`, remove)}
    >
      Delete
    </button>
  )
}

function UserForm() {
  const { send, run } = useTeam()
  const submit = async (values: FormData, form: HTMLFormElement) => {
    const given = [...values].filter(([, value]) => value !== '')
    const body = { info: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) }
    if (await run('Created a user.', () => send('users.create', { body }))) form.reset()
  }
  return (
    <Form submit={submit}>
      <Field label="First name">
        <input name="first_name" autocomplete="off" placeholder="generated" />
      </Field>
      <Field label="Last name">
        <input name="last_name" autocomplete="off" placeholder="generated" />
      </Field>
      <button type="submit" class="main">
        Create user
      </button>
    </Form>
  )
}
