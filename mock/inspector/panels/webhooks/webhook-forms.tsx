import { knownEventTypes } from '../../../../src/contract/values/event-types.ts'
import { Field, Form } from '../../components/form.tsx'
import { UserSelect, useUsers } from '../../components/user.tsx'
import { escapeHidden } from '../../format.ts'
import { useTeam } from '../../team-context.ts'

export function WebhookForm() {
  const { send, run } = useTeam()
  const submit = async (values: FormData, form: HTMLFormElement) => {
    const types = String(values.get('types'))
      .split(/[\s,]+/)
      .filter((type) => type)
    const webhook = { url: String(values.get('url')), ...(types.length > 0 ? { types } : {}) }
    if (await run('Added the webhook.', () => send('webhooks.add', { body: webhook }))) form.reset()
  }
  return (
    <Form submit={submit}>
      <Field label="URL on this machine" class="wide">
        <input name="url" type="url" required placeholder="http://localhost:3000/events" />
      </Field>
      <Field label="Types">
        <input name="types" placeholder="all" autocomplete="off" />
      </Field>
      <button type="submit">Add webhook</button>
    </Form>
  )
}

export function TestEventForm() {
  const { send, run } = useTeam()
  const users = useUsers()
  const submit = (values: FormData) => {
    const event_type = String(values.get('event_type'))
    const user_id = values.get('user_id')
    const body = { event_type, overrides: user_id ? { user_id } : {} }
    return run(`Sent ${escapeHidden(event_type)}.`, () => send('events.trigger', { body }))
  }
  return (
    <Form submit={submit}>
      <Field label="Type" class="wide">
        <input
          name="event_type"
          list="event-types"
          required
          autocomplete="off"
          defaultValue="daily.data.sleep.created"
        />
      </Field>
      <datalist id="event-types">
        {knownEventTypes.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <UserSelect users={users} none="The first user" />
      <button type="submit" class="main">
        Send event
      </button>
    </Form>
  )
}
