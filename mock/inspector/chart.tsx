import { useMemo, useState } from 'preact/hooks'
import type { AggregateRequest, AggregateTable } from '../../src/contract/aggregate.ts'
import { aggregateColumns, timeseriesColumns } from '../../src/contract/values/columns.ts'
import { aggregationFunctions } from '../../src/contract/values/known-values.ts'
import type { User } from '../state/records/users.ts'
import { askingService, Refused } from './control.ts'
import { UserChoice, useUsers } from './panels/users.tsx'
import { Empty, Field, Panel, Table } from './parts.tsx'
import { Plot, type Point } from './plot.tsx'
import { useTeam } from './team.ts'
import { nameOf, numberOf } from './words.ts'

/** Resources with columns of their own, and a time series that the seed has data of. */
const resources: Record<string, Record<string, string>> = {
  ...aggregateColumns,
  heartrate: timeseriesColumns,
}

/** What was drawn, and of which request. */
interface Drawn {
  request: AggregateRequest
  title: string
  points: Point[]
}

/** A user's data behind an aggregate query, which is asked of the service as a client would. */
export function ChartPanel() {
  const { apiKey, pulse } = useTeam()
  const users = useUsers()
  const [drawn, setDrawn] = useState<Drawn>()
  const [problem, setProblem] = useState('')
  const ask = useMemo(() => askingService(apiKey), [apiKey])
  const draw = async (said: FormData) => {
    const userId = String(said.get('user_id'))
    const request = requestOf(said)
    try {
      const route = `POST /aggregate/v1/user/${encodeURIComponent(userId)}/query`
      const answer = await ask<{ results?: { table: AggregateTable }[] }>(route, request)
      const user = users?.find(({ user_id }) => user_id === userId)
      setDrawn({
        request,
        title: titleOf(said, user),
        points: pointsOf(answer?.results?.[0]?.table ?? {}),
      })
      setProblem('')
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : String(error))
    }
  }
  return (
    <Panel
      title="Chart"
      hint="Drawing asks the service itself: the query stands among the requests, and meets faults as any other does."
    >
      <QueryForm users={users} today={pulse.now.slice(0, 10)} draw={draw} />
      {problem && (
        <p class="banner" role="alert">
          {problem}
        </p>
      )}
      {drawn ? (
        <Drawing {...drawn} />
      ) : (
        <Empty title="Nothing is drawn yet.">
          {users?.length === 0 ? (
            <>
              First <a href="#/users">create a user</a>: each has a year of data from the seed.
            </>
          ) : (
            'Choose what to see, and draw it.'
          )}
        </Empty>
      )}
    </Panel>
  )
}

interface QueryFormProps {
  users: User[] | undefined
  today: string
  draw: (said: FormData) => Promise<void>
}

function QueryForm({ users, today, draw }: QueryFormProps) {
  const [resource, setResource] = useState('sleep')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void draw(new FormData(event.currentTarget as HTMLFormElement))
  }
  return (
    <form class="line" onSubmit={submit}>
      <UserChoice users={users} />
      <Field label="Resource">
        <select
          name="resource"
          value={resource}
          onChange={({ currentTarget }) => setResource(currentTarget.value)}
        >
          {Object.keys(resources).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field label="Column">
        <select name="column" key={resource} defaultValue={firstColumns[resource]}>
          {numericColumns(resource).map((name) => (
            <option key={name} selected={name === firstColumns[resource]}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Aggregation">
        <select name="func">
          {aggregationFunctions.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field label="By">
        <select name="group">
          <option>day</option>
          <option>week</option>
          <option>month</option>
        </select>
      </Field>
      <fieldset class="span">
        <legend>Past</legend>
        <input
          type="number"
          name="length"
          aria-label="How many"
          min="1"
          required
          defaultValue="30"
        />
        <select name="unit" aria-label="Days, weeks or months">
          <option value="day">days</option>
          <option value="week">weeks</option>
          <option value="month">months</option>
        </select>
      </fieldset>
      <Field label="Until">
        <input type="date" name="anchor" required defaultValue={today} />
      </Field>
      <button type="submit" class="main" disabled={!users?.length}>
        Draw
      </button>
    </form>
  )
}

function Drawing({ request, title, points }: Drawn) {
  const select = request.queries[0]?.select[0]
  const func = select?.func ?? ''
  if (points.length === 0) {
    return <Empty title="There is no data in this time.">Ask for an earlier or longer one.</Empty>
  }
  const shape = func === 'sum' || func === 'count' ? 'bars' : 'line'
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div class="drawing">
        <Plot title={title} points={points} shape={shape} />
        <Table
          caption="The same in numbers"
          rows={points}
          keyOf={({ at }) => at}
          columns={[
            { title: 'From', cell: ({ at }) => at.slice(0, 10) },
            {
              title: func,
              isNumber: true,
              cell: ({ value }) =>
                value === null ? '–' : <data value={String(value)}>{numberOf(value)}</data>,
            },
          ]}
        />
      </div>
      <details>
        <summary>The query</summary>
        <pre class="json">{JSON.stringify(request, null, 2)}</pre>
      </details>
    </figure>
  )
}

/** What each resource is looked at for first. */
const firstColumns: Record<string, string> = {
  sleep: 'score',
  activity: 'steps',
  body: 'weight_kilogram',
  workout: 'calories',
}

function numericColumns(resource: string): string[] {
  return Object.entries(resources[resource] ?? {}).flatMap(([name, type]) =>
    type === 'integer' || type === 'number' ? [name] : [],
  )
}

function requestOf(said: FormData): AggregateRequest {
  const text = (name: string) => String(said.get(name))
  const resource = text('resource')
  return {
    timeframe: {
      type: 'relative',
      anchor: text('anchor'),
      past: { unit: text('unit'), value: Number(said.get('length')) },
    },
    queries: [
      {
        select: [{ arg: { [resource]: text('column') }, func: text('func') }],
        group_by: [{ date_trunc: { unit: text('group'), value: 1 }, arg: { index: resource } }],
      },
    ],
  }
}

function titleOf(said: FormData, user: User | undefined): string {
  const text = (name: string) => String(said.get(name))
  const whose = user ? `, ${nameOf(user)}` : ''
  return `${text('func')} of ${text('resource')}.${text('column')} by ${text('group')}${whose}`
}

/** The lines of a table with an index; what is no number is null. */
function pointsOf({ index = [], ...columns }: AggregateTable): Point[] {
  const [values = []] = Object.values(columns)
  return index.map((at, line) => {
    const value = values[line]
    return { at: String(at), value: typeof value === 'number' ? value : null }
  })
}
