import type { User } from '../../state/records/users.ts'
import { displayName, escapeHidden } from '../format.ts'
import { useFetch } from '../team-context.ts'
import { Field } from './form.tsx'
import { recordLimit } from './table.tsx'
import { CopyableId } from './text.tsx'

/** At most {@link recordLimit} of the team's users, latest first, or undefined while they are loading. */
export type FetchedUsers = readonly User[] | undefined

export function useUsers(): FetchedUsers {
  return useFetch('users.list', { query: { last: recordLimit } })?.toReversed()
}

interface UserSelectProps {
  users: FetchedUsers
  /** The title of the option that selects no user. If omitted, a user is required. */
  none?: string
}

export function UserSelect({ users, none }: UserSelectProps) {
  return (
    <Field label="User" class="medium">
      <select name="user_id" required={none === undefined}>
        {none !== undefined && <option value="">{none}</option>}
        {users?.map((user) => (
          <option key={user.user_id} value={user.user_id}>
            {displayName(user)}, {escapeHidden(user.user_id.slice(0, 8))}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function UserCell({ users, id }: { users: FetchedUsers; id: string }) {
  const user = users?.find(({ user_id }) => user_id === id)
  return (
    <span class="user">
      {user?.info && <strong>{displayName(user)}</strong>} <CopyableId value={id} />
    </span>
  )
}
