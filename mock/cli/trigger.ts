import { Command, Option } from 'commander'
import { environment } from '../../src/contract/wire.ts'
import { isObject } from '../../src/shared/narrow.ts'
import { apiPath, defaultPort } from '../control/paths.ts'
import { MockError } from '../errors.ts'
import type { Delivery } from '../events/delivery/deliveries.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { EventOverrides } from '../events/trigger.ts'
import type { RemoteTeam } from '../remote/remote-team.ts'
import { CommandFailure, checkUrlFlag, keyOption, tokenOption } from './options.ts'

interface TriggerFlags {
  url: string
  key?: string
  token?: string
  user?: string
  data?: string
  unknown?: true
  list?: true
  json?: true
}

type FirstAttempt = Pick<Delivery, 'outcome' | 'status' | 'error'> & {
  webhook: string
  url: string | null
}

export function trigger(): Command {
  return new Command('trigger')
    .description("Trigger an event in a mock server, and print the webhook receivers' responses.")
    .argument('[type]', 'the event type, such as "daily.data.sleep.created"')
    .addOption(
      new Option('--url <url>', "the mock's URL")
        .env(environment.baseUrl)
        .default(`http://127.0.0.1:${defaultPort}`),
    )
    .addOption(keyOption("the team's API key; default: the key of the mock's first team"))
    .addOption(tokenOption("the mock's control token"))
    .option(
      '--user <id>',
      'the id of a user in the team; default: the first user, or a new one if the team has none',
    )
    .option('--data <json>', "a JSON object whose fields replace fields in the event's data")
    .option('--unknown', 'allow an event type that --list does not print')
    .option('--list', 'print the known event types and exit')
    .option('--json', 'print the event and its deliveries as JSON')
    .action(run)
}

async function run(type = '', flags: TriggerFlags): Promise<void> {
  const { knownEventTypes: known } = await import('../../src/contract/values/event-types.ts')
  if (flags.list) return print(flags.json ? JSON.stringify(known) : known.join('\n'))
  if (!known.includes(type) && !(flags.unknown && type)) throw await unknownType(type, known)
  const { url, token, user, json } = flags
  checkUrlFlag(url)
  const overrides = { ...(user ? { user_id: user } : {}), ...parseData(flags) }
  const { connectMock, firstApiKey } = await import('../remote/connect.ts')
  const access = token ? { token } : {}
  try {
    const team = connectMock(url, flags.key || (await firstApiKey(url, access)), access)
    const event = await triggerEvent(type, overrides, team)
    const deliveries = await firstAttempts(event, team)
    print(json ? JSON.stringify({ event, deliveries }, null, 2) : formatResult(event, deliveries))
  } catch (error) {
    throw error instanceof MockError ? new CommandFailure(error.message) : error
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function unknownType(type: string, known: readonly string[]): Promise<CommandFailure> {
  if (!type) {
    return new CommandFailure(
      'Expected an event type, such as "daily.data.sleep.created". Use --list to see all types.',
      2,
    )
  }
  const { nearest } = await import('../../src/contract/schema-tools/nearest.ts')
  return new CommandFailure(
    `Unknown event type ${type}. Did you mean ${nearest(type, known)}? Use --list to see all types, or --unknown to trigger it anyway.`,
    2,
  )
}

function parseData({ data }: TriggerFlags): EventOverrides {
  if (data === undefined) return {}
  const failure = new CommandFailure(
    'Expected --data to be a JSON object, such as \'{"status": "confirmed"}\'.',
    2,
  )
  try {
    const value: unknown = JSON.parse(data)
    if (isObject(value)) return { data: value }
  } catch {
    throw failure
  }
  throw failure
}

async function triggerEvent(
  type: string,
  overrides: EventOverrides,
  team: RemoteTeam,
): Promise<EmittedEvent> {
  const { user_id } = overrides
  if (user_id !== undefined && !(await team.users.has(user_id))) {
    throw new CommandFailure(
      `The API key's team has no user ${user_id}. Create the user, or omit --user to use the first user.`,
    )
  }
  return team.trigger(type, overrides, { unknown: true })
}

/** Returns each webhook's first delivery attempt. Retries follow later, on the team's clock. */
async function firstAttempts({ id }: EmittedEvent, team: RemoteTeam): Promise<FirstAttempt[]> {
  await team.webhooks.idle()
  const webhooks = await team.webhooks.list()
  const attempts = webhooks.map(async ({ id: webhook, url, deliveries }) =>
    (await deliveries())
      .filter((delivery) => delivery.id === id)
      .map(({ outcome, status, error }) => ({ webhook, url, outcome, status, error })),
  )
  return (await Promise.all(attempts)).flat()
}

function formatResult({ event_type, user_id, id }: EmittedEvent, attempts: FirstAttempt[]): string {
  const user = user_id === undefined ? '' : ` for the user ${user_id}`
  const lines =
    attempts.length > 0
      ? attempts.map(formatAttempt)
      : [`  The team has no webhook for this event. Add one with POST ${apiPath}/webhooks.`]
  return [`Triggered ${event_type}${user} as ${id}`, ...lines].join('\n')
}

const errorTexts = {
  no_response: 'did not respond',
  timeout: 'did not respond in time',
  threw: 'threw an error',
}

function formatAttempt({ webhook, url, outcome, status, error }: FirstAttempt): string {
  const result = error ? errorTexts[error] : `responded with ${status}`
  return `  ${url ?? webhook} ${result}${outcome === 'failed' ? '; the delivery is retried later' : ''}`
}
