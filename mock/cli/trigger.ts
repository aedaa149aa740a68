import { Command, Option } from 'commander'
import { MockError } from '../errors.ts'
import type { Delivery } from '../events/delivery/deliveries.ts'
import type { EmittedEvent } from '../events/outbox.ts'
import type { EventOverrides } from '../events/trigger.ts'
import type { RemoteTeam } from '../remote/remote-team.ts'
import { checkKey, checkUrl, keyOption, tokenOption } from './address.ts'
import { Failure } from './failure.ts'

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

/** An attempt to deliver the event, and where it went. */
type Delivered = Pick<Delivery, 'outcome' | 'status' | 'error'> & {
  webhook: string
  url: string | null
}

/** `health-lab-sdk trigger`: emits an event in a mock that another process serves. */
export const trigger = new Command('trigger')
  .description('Emit an event in a mock that is being served, and tell what its receivers answer.')
  .argument('[type]', 'the type of the event, such as daily.data.sleep.created')
  .addOption(
    new Option('--url <url>', 'where the mock is served')
      .env('SERVICE_BASE_URL')
      .default('http://127.0.0.1:4010'),
  )
  .addOption(keyOption())
  .addOption(tokenOption('the control token of that mock'))
  .option('--user <id>', "one of the team's users; without it the first, and a new one if need be")
  .option('--data <json>', "fields that replace those of the event's data, as a JSON object")
  .option('--unknown', 'emit a type, too, that the specification does not have')
  .option('--list', 'list the types of the specification, and emit nothing')
  .option('--json', 'print the event, and what became of it, as JSON')
  .action(run)

async function run(type = '', flags: TriggerFlags): Promise<void> {
  const { knownEventTypes: known } = await import('../../src/contract/values/event-types.ts')
  if (flags.list) return print(flags.json ? JSON.stringify(known) : known.join('\n'))
  if (!known.includes(type) && !(flags.unknown && type)) throw await unknownType(type, known)
  const { url, key, token, user, json } = flags
  checkUrl(url)
  checkKey(key)
  const overrides = { ...(user ? { user_id: user } : {}), ...dataOf(flags) }
  const { connectMock } = await import('../remote/connect.ts')
  try {
    const team = connectMock(url, key, token ? { token } : {})
    const event = await emitted(type, overrides, team)
    const deliveries = await deliveriesOf(event, team)
    print(json ? JSON.stringify({ event, deliveries }, null, 2) : told(event, deliveries))
  } catch (error) {
    throw error instanceof MockError ? new Failure(error.message) : error
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function unknownType(type: string, known: readonly string[]): Promise<Failure> {
  const example = 'Expected a type, such as daily.data.sleep.created; --list shows all of them.'
  if (!type) return new Failure(example, 2)
  const { letterDistance } = await import('../http/router.ts')
  const distances = known.map((name) => ({ name, distance: letterDistance(type, name) }))
  const { name } = distances.reduce((best, next) => (next.distance < best.distance ? next : best))
  return new Failure(
    `The specification has no type ${type}; the nearest is ${name}. --list shows all of them, and --unknown emits it all the same.`,
    2,
  )
}

function dataOf({ data }: TriggerFlags): EventOverrides {
  if (data === undefined) return {}
  const failure = new Failure('Expected --data to be a JSON object, such as \'{"score": 82}\'.', 2)
  try {
    const given = JSON.parse(data)
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) return { data: given }
  } catch {
    throw failure
  }
  throw failure
}

async function emitted(
  type: string,
  overrides: EventOverrides,
  team: RemoteTeam,
): Promise<EmittedEvent> {
  const { user_id } = overrides
  if (user_id !== undefined && !(await team.users.has(user_id))) {
    throw new Failure(
      "The key's team has no such user. Create one, or leave --user out: then the first is taken.",
    )
  }
  return team.trigger(type, overrides)
}

/** The first attempts to deliver an event; later ones come on the team's clock. */
async function deliveriesOf({ id }: EmittedEvent, team: RemoteTeam): Promise<Delivered[]> {
  await team.webhooks.idle()
  const webhooks = await team.webhooks.list()
  const found = webhooks.map(async ({ id: webhook, url, deliveries }) =>
    (await deliveries())
      .filter((delivery) => delivery.id === id)
      .map(({ outcome, status, error }) => ({ webhook, url, outcome, status, error })),
  )
  return (await Promise.all(found)).flat()
}

function told({ event_type, user_id, id }: EmittedEvent, deliveries: Delivered[]): string {
  const about = user_id === undefined ? '' : ` for the user ${user_id}`
  const nobody = ["  No webhook of the key's team took it; POST /__mock__/api/webhooks adds one."]
  const answers = deliveries.map(answerLine)
  return [`Emitted ${event_type}${about}, as ${id}`, ...(answers[0] ? answers : nobody)].join('\n')
}

const silence = { no_answer: 'gave no answer', timeout: 'gave no answer in time', threw: 'threw' }

function answerLine({ webhook, url, outcome, status, error }: Delivered): string {
  const answer = error ? silence[error] : `answered ${status}`
  return `  ${url ?? webhook} ${answer}${outcome === 'failed' ? ', and is asked again later' : ''}`
}
