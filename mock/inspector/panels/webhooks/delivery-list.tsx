import type { ControlOutput } from '../../../control/api.ts'
import { setFilter, useAddress } from '../../address.ts'
import { JsonView } from '../../components/json.tsx'
import { Empty, Loading } from '../../components/panel.tsx'
import { DottedName, NameValueList } from '../../components/text.tsx'
import { escapeHidden, formatCount, formatNumber, formatTime } from '../../format.ts'
import { useFetch, useTeam } from '../../team-context.ts'

type Exchange = ControlOutput<'webhooks.exchanges'>[number]

interface WebhookProps {
  params: { id: string }
}

export function DeliveryList({ params }: WebhookProps) {
  const exchanges = useFetch('webhooks.exchanges', { params })
  const isFailedOnly = useAddress().query.get('only') === 'failed'
  const messages = messagesOf(exchanges ?? [])
  const shown = isFailedOnly ? messages.filter(hasFailed) : messages
  return (
    <section class="block">
      <h3>
        Deliveries <span class="count">{messages.length}</span>
        <label class="push check">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={({ currentTarget }) =>
              setFilter('only', currentTarget.checked ? 'failed' : '')
            }
          />
          Failed only
        </label>
      </h3>
      {!exchanges && <Loading />}
      {exchanges?.length === 0 && (
        <Empty title="Nothing has been delivered yet.">
          Send an event above to test the receiver.
        </Empty>
      )}
      {exchanges && exchanges.length > 0 && shown.length === 0 && (
        <Empty title="No delivery failed." />
      )}
      <ul class="messages">
        {shown.map((attempts) => (
          <Message key={attempts[0]?.id} params={params} attempts={attempts} />
        ))}
      </ul>
      {exchanges?.length === 100 && <p class="hint">Showing the latest 100 attempts.</p>}
    </section>
  )
}

/** Groups attempts by message. The message with the latest attempt comes first. */
function messagesOf(exchanges: readonly Exchange[]): Exchange[][] {
  const latestFirst = exchanges.toReversed()
  return [...Map.groupBy(latestFirst, ({ id }) => id).values()]
}

function hasFailed(attempts: readonly Exchange[]): boolean {
  return attempts.some(({ outcome }) => outcome === 'failed')
}

/** The latest attempt is first. */
interface MessageProps extends WebhookProps {
  attempts: Exchange[]
}

function Message({ params, attempts }: MessageProps) {
  const { send, run } = useTeam()
  const wanted = useAddress().path[1]
  const [latest] = attempts
  if (!latest) return null
  const { id, number, event_type } = latest
  const redeliver = () => send('webhooks.redeliver', { params, body: { message: id } })
  return (
    <li>
      <details open={wanted === String(number)}>
        <summary>
          <DeliveryBadge {...latest} />
          <DottedName name={event_type} />
          <span class="hint">
            {attempts.length > 1 && `${formatCount(attempts.length, 'attempt')}, `}
            {formatNumber(latest.duration)} ms,{' '}
            <time dateTime={latest.at}>{formatTime(latest.at)}</time>
          </span>
        </summary>
        <div class="actions">
          <button
            type="button"
            aria-label={`Redeliver ${event_type}`}
            onClick={() => run('Redelivering the message.', redeliver)}
          >
            Redeliver
          </button>
          <code class="hint">{escapeHidden(id)}</code>
        </div>
        <ol class="attempts">
          {attempts.map((exchange, index) => (
            <Attempt key={attempts.length - index} {...exchange} />
          ))}
        </ol>
        <h4>Body</h4>
        <JsonView value={latest.request.body} />
      </details>
    </li>
  )
}

const errorTitles: Record<NonNullable<Exchange['error']>, string> = {
  no_response: 'no response',
  timeout: 'timeout',
  threw: 'the handler threw',
}

function DeliveryBadge({ outcome, status, error }: Exchange) {
  const text = status ?? (error ? errorTitles[error] : outcome)
  return <span class={`status ${outcome === 'delivered' ? 'good' : 'bad'}`}>{text}</span>
}

function Attempt(exchange: Exchange) {
  const { attempt, at, duration, request, response, error } = exchange
  const { isDuplicate, isOld, hasInvalidSignature } = exchange
  const flaws = [
    isDuplicate && 'duplicate',
    isOld && 'old timestamp',
    hasInvalidSignature && 'invalid signature',
  ].filter((flaw) => flaw)
  return (
    <li>
      <p class="facts">
        <DeliveryBadge {...exchange} />
        <strong>Attempt {attempt}</strong>
        <span class="hint">
          {formatTime(at)}, {formatNumber(duration)} ms
        </span>
        {flaws.map((flaw) => (
          <span key={flaw} class="status warn">
            {flaw}
          </span>
        ))}
      </p>
      {response ? (
        <>
          {response.body && <JsonView value={parsedBody(response.body)} />}
          <Headers title="Response headers" headers={response.headers} />
        </>
      ) : (
        error !== 'threw' && (
          <p class="hint">The receiver did not respond. Check that it is running at this URL.</p>
        )
      )}
      <Headers title="Request headers" headers={request.headers} />
    </li>
  )
}

function Headers({ title, headers }: { title: string; headers: Readonly<Record<string, string>> }) {
  return (
    <details>
      <summary>{title}</summary>
      <NameValueList values={headers} />
    </details>
  )
}

function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
