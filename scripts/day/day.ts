import assert from 'node:assert/strict'
import { ServiceClient } from 'health-lab-sdk'
import { connectMock, type RemoteTeam } from 'health-lab-sdk/mock/remote'
import { chromium, withoutChromium } from '../../test/support/programs/chromium.ts'
import { openDelivery } from './inspector.ts'
import { copyPlaywrightExample, isInstalled, runProgram } from './programs.ts'
import type { Receiver } from './receiver.ts'
import { type ServedMock, startMock } from './served-mock.ts'
import { Transcript } from './transcript.ts'

const apiKey = 'day-of-a-team'

const orderId = '5b1d4c62-7a35-4d8f-9c1e-0a4b3c2d1e03'
const eventType = 'labtest.appointment.updated'

interface Day {
  transcript: Transcript
  receiver: Receiver
  team: RemoteTeam
  url: string
  project: string
  /** Runs one of the team's programs and returns its output. */
  run: (...words: string[]) => Promise<string>
}

/** Rejects at the first step that fails. */
export async function playDay(project: string, receiver: Receiver): Promise<void> {
  const transcript = new Transcript()
  let mock = await startMock(project, '0')
  try {
    const { url } = mock
    const variables = { SERVICE_BASE_URL: url, SERVICE_API_KEY: apiKey, CI: '', NO_COLOR: '1' }
    const run = (...words: string[]) => runProgram(project, variables, words)
    const team = connectMock(url, apiKey)
    const day = { transcript, receiver, team, url, project, run }
    await morning(day)
    const restart = async () => {
      mock = await restartMock(mock, project)
    }
    await noon(day, restart)
    await afternoon(day)
    await evening(day)
    transcript.end()
  } finally {
    await mock.stop()
  }
}

async function restartMock(mock: ServedMock, project: string): Promise<ServedMock> {
  await mock.stop()
  return startMock(project, new URL(mock.url).port)
}

async function morning(day: Day): Promise<void> {
  const { transcript, team, url, receiver } = day
  transcript.part('Morning: npx health-lab-sdk mock --fixture people.yaml --state mock.json')
  await transcript.step('The mock is ready with the records of the fixture', async () => {
    const health = await fetch(`${url}/__mock__/health`)
    assert.deepEqual(await health.json(), { status: 'ready' })
    const users = await team.users.list()
    assert.equal(users.length, 2)
    return `${users.length} users, order ${orderId}`
  })
  await book(day)
  await transcript.step('The receiver rejects the event', async () => {
    await team.webhooks.idle()
    assert.deepEqual(receiver.accepted, [])
    return (await attempts(team)).join('\n')
  })
}

/** Books in Python. If Python is missing, books in this process, so that the day continues. */
async function book({ transcript, url, run }: Day): Promise<void> {
  const tests = 'Python runs the tests of its page, each with a team of its own'
  const booking = 'Python books the appointment of the order'
  if (!isInstalled('python3')) {
    const reason = 'python3 is not installed (apt-get install -y python3)'
    transcript.skip(tests, reason)
    transcript.skip(booking, reason)
    const client = new ServiceClient({ baseUrl: url, apiKey })
    await client.orders.bookPhlebotomyAppointment(orderId, { booking_key: 'bk_confirm_after_3s' })
    return
  }
  await transcript.step(tests, async () => {
    const output = await run('python3', '-m', 'unittest', 'test_booking')
    assert.match(output, /\nOK\n/)
    return output.split('\n').find((line) => line.startsWith('Ran'))
  })
  await transcript.step(booking, () => run('python3', 'book.py', orderId))
}

async function noon({ transcript, team }: Day, restart: () => Promise<void>): Promise<void> {
  transcript.part('Noon: SIGTERM, and the same command again')
  const read = async () => ({
    order: await team.orders.get(orderId),
    planned: await plannedAttempts(team),
  })
  await transcript.step('The order and the planned attempts are still there', async () => {
    const before = await read()
    await restart()
    assert.deepEqual(await read(), before)
    return before.planned.join('\n')
  })
}

async function afternoon({ transcript, url, team, receiver }: Day): Promise<void> {
  transcript.part('Afternoon: the inspector in Chromium')
  const title = `The delivery of ${eventType} fails, because the receiver has another secret`
  if (!chromium) {
    const [webhook] = await team.webhooks.list()
    receiver.useSecret(webhook?.secret ?? '')
    return transcript.skip(title, withoutChromium)
  }
  const delivery = await openDelivery(chromium, url, apiKey, eventType)
  try {
    await transcript.step(title, async () => {
      const [attempt = ''] = await delivery.attempts()
      assert.match(attempt, /^401\b.*signature_invalid/s)
      return attempt.split('\n').filter(Boolean).slice(0, 4).join(' ')
    })
    await transcript.step('With the secret of the page, the receiver accepts it', async () => {
      receiver.useSecret(await delivery.secret())
      await delivery.redeliver('200')
      assert.deepEqual(receiver.accepted, [eventType])
      return `attempts: ${(await delivery.attempts()).map((text) => text.slice(0, 3)).join(', ')}`
    })
  } finally {
    await delivery.close()
  }
}

async function evening({ transcript, project, url, run, team, receiver }: Day): Promise<void> {
  transcript.part('Evening: TypeScript and Playwright')
  await transcript.step('TypeScript follows the order to its results', () =>
    run(process.execPath, 'follow-order.ts', orderId),
  )
  await transcript.step('The receiver has accepted every event once', async () => {
    const events = await team.events.list()
    const sent = events.map(({ event_type }) => event_type)
    assert.deepEqual(receiver.accepted.toSorted(), sent.toSorted())
    return sent.join('\n')
  })
  await transcript.step('Playwright runs the example against the same mock', async () => {
    copyPlaywrightExample(project, url)
    const output = await run('npx', '--no', '--', 'playwright', 'test', '--reporter', 'line')
    assert.match(output, /1 passed/)
    return output
      .split('\n')
      .find((line) => line.includes('passed'))
      ?.trim()
  })
}

async function attempts(team: RemoteTeam): Promise<string[]> {
  const [webhook] = await team.webhooks.list()
  const deliveries = (await webhook?.deliveries()) ?? []
  return deliveries.map(({ event_type, status }) => `${event_type} ${status}`)
}

async function plannedAttempts(team: RemoteTeam): Promise<string[]> {
  const [webhook] = await team.webhooks.list()
  const planned = (await webhook?.planned()) ?? []
  return planned.map(
    ({ event_type, attempt, at }) => `${event_type}, attempt ${attempt} at ${at.toISOString()}`,
  )
}
