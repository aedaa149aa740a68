import { useEffect, useRef, useState } from 'preact/hooks'
import { aggregationFunctions, type TimeUnit } from '../../../src/contract/values/known-values.ts'
import { Field, Form, Options } from '../components/form.tsx'
import { type FetchedUsers, UserSelect } from '../components/user.tsx'
import { useTeam } from '../team-context.ts'
import { defaultColumns, numericColumns } from './query.ts'

const calendarUnits: readonly TimeUnit[] = ['day', 'week', 'month']

/** Grouping by hour shows details that grouping by day hides, such as a shift worker's nights. */
const groupUnits: readonly TimeUnit[] = ['hour', ...calendarUnits]

interface QueryFormProps {
  users: FetchedUsers
  /** Called with the form's values: initially for the first user, and after each change. */
  submit: (values: FormData) => Promise<void>
}

export function QueryForm({ users, submit }: QueryFormProps) {
  const [resource, setResource] = useState('sleep')
  const { version } = useTeam()
  const form = useRef<HTMLFormElement>(null)
  const hasUsers = users !== undefined && users.length > 0
  // The columns depend on the resource, so read the form after it is rendered.
  useEffect(() => {
    if (hasUsers && form.current) void submit(new FormData(form.current))
  }, [hasUsers, resource, version])
  return (
    <Form submit={submit} form={form} isLive>
      <UserSelect users={users} />
      <Field label="Resource">
        <select
          name="resource"
          value={resource}
          onChange={({ currentTarget }) => setResource(currentTarget.value)}
        >
          <Options names={[...numericColumns.keys()]} selected={resource} />
        </select>
      </Field>
      <Field label="Column">
        <select name="column" key={resource}>
          <Options
            names={numericColumns.get(resource) ?? []}
            selected={defaultColumns.get(resource)}
          />
        </select>
      </Field>
      <Field label="Aggregation" class="short">
        <select name="func">
          <Options names={aggregationFunctions} />
        </select>
      </Field>
      <Field label="By" class="short">
        <select name="group">
          <Options names={groupUnits} selected="day" />
        </select>
      </Field>
      <TimeframeFields />
    </Form>
  )
}

function TimeframeFields() {
  const today = useTeam().pulse.now.slice(0, 10)
  return (
    <>
      <fieldset class="span">
        <legend>Past</legend>
        <input type="number" name="length" aria-label="Length" min="1" required defaultValue="30" />
        <select name="unit" aria-label="Unit">
          <Options names={calendarUnits} titleOf={(unit) => `${unit}s`} />
        </select>
      </fieldset>
      <Field label="Until">
        <input type="date" name="anchor" required defaultValue={today} />
      </Field>
    </>
  )
}
