import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, type DueEvent, MockError, type Team } from '../../../../mock/index.ts'
import { recipe, userId } from '../../../support/bodies.ts'
import { call } from '../../../support/call.ts'
import { book, child, inBackground, latest } from '../../teams.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A team whose next due event fails, because the order of a booking is missing. */
function failingTeam(options: Parameters<ReturnType<typeof createMock>['team']>[0] = {}) {
  const team = createMock().team({ clock: 'manual', ...options })
  const order = team.orders.create()
  // Only a defect of the mock makes an event fail, so the test simulates one.
  vi.spyOn(team.appointments, 'create').mockImplementation(() => {
    throw new TypeError('defect in the appointment')
  })
  return { team, order: order.id }
}

describe('an error in a due event', () => {
  it('fails the booking that waits for it and the advance, and time continues', async () => {
    const { team, order } = failingTeam()
    const waiting = book(team, order, 'bk_confirm_after_5s')
    const failed = expect(waiting).rejects.toMatchObject({
      code: 'failed_event',
      message: expect.stringMatching(/booking\.outcome .*defect in the appointment/),
    })
    await team.clock.whenWaiting()
    await expect(team.clock.advance('1h')).rejects.toMatchObject({ code: 'failed_event' })
    await failed
    expect(team.clock.now()).toEqual(new Date('2025-06-01T10:00:00Z'))
    expect(team.journal.last()?.failures).toEqual([expect.stringContaining('defect')])
  })

  it('fails the booking in the mode auto', async () => {
    const { team, order } = failingTeam({ clock: 'auto' })
    await expect(book(team, order, 'bk_confirm_after_5s')).rejects.toBeInstanceOf(MockError)
  })

  it('does not affect other bookings', async () => {
    const { team, order } = failingTeam()
    const other = team.orders.create().id
    const failed = expect(book(team, order, 'bk_confirm_after_5s')).rejects.toThrow('defect')
    const rest = book(team, other, 'bk_fail_after_9s')
    await team.clock.whenWaiting(2)
    await expect(team.clock.advance('1h')).rejects.toThrow('defect')
    await failed
    expect((await rest).status).toBe(500)
  })

  it('is reported, and does not end the process, in real time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { team, order } = failingTeam({ clock: 'realtime' })
    const { status } = await pendingBooking(team, order)
    expect(status).toBe(200)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reported).toHaveBeenCalledWith(expect.objectContaining({ code: 'failed_event' }))
    expect(team.clock.now().getTime()).toBeGreaterThan(0)
  })

  /** A booking in the background whose confirmation fails. */
  async function pendingBooking(team: Team, order: string) {
    vi.mocked(team.appointments.create).mockRestore()
    const waiting = book(team, order, 'bk_confirm_after_30s', inBackground)
    await team.clock.whenWaiting()
    await vi.advanceTimersByTimeAsync(1000)
    const response = await waiting
    vi.spyOn(team.appointments, 'transition').mockImplementation(() => {
      throw new TypeError('defect in the appointment')
    })
    return response
  }

  it('does not end the process of a mock server', () => {
    const { status, stdout } = child(`
      import { serve } from '../../mock/server/server.ts'
      const server = await serve({}, { report: () => console.log('reported') })
      const team = server.mock.team({ apiKey: 'key' })
      const { id } = team.orders.create()
      team.configure({ synchronousBookingTimeout: '30ms' })
      team.appointments.create = () => { throw new TypeError('defect') }
      const body = JSON.stringify({ booking_key: 'bk_confirm_after_20ms' })
      const headers = { 'x-service-api-key': 'key', 'content-type': 'application/json' }
      const url = server.url + '/v3/order/' + id + '/phlebotomy/appointment/book'
      const response = await fetch(url, { method: 'POST', headers, body })
      console.log(response.status)
      console.log((await fetch(server.url + '/v2/providers', { headers })).status)
      await server.close()
    `)
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'reported\n500\n200\n' })
  })
})

it('ends the wait for an import when it is aborted', async () => {
  const team = createMock().team({ clock: 'manual', importTimePerConnection: '1s' })
  const body = { provider: 'oura', connections: [recipe(userId)], wait_for_completion: true }
  const waiting = call(team, 'POST /v2/link/bulk_import', body)
  await team.clock.whenWaiting()
  team.bulkOps.abort(team.bulkOps.list()[0]?.id ?? '')
  expect((await waiting).status).toBe(202)
})

it('continues an import when the time per connection changes', async () => {
  const team = createMock().team({ importTimePerConnection: '1s' })
  const connections = [recipe(userId), recipe(userId)]
  await call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections })
  team.configure({ importTimePerConnection: 0 })
  await team.clock.advance('1s')
  expect(team.bulkOps.list()[0]).toMatchObject({ processed: 1, status: 'in_progress' })
})

it('leaves imports that have ended unchanged when the time per connection changes', async () => {
  const team = createMock().team({ importTimePerConnection: '1s' })
  const body = { provider: 'oura', connections: [recipe(userId), recipe(userId)] }
  await call(team, 'POST /v2/link/bulk_import', body)
  await team.clock.advance('1d')
  const [ended, connections] = [team.bulkOps.list(), team.connections.list()]
  for (const time of ['1h', '1ms', 0] as const) {
    team.configure({ importTimePerConnection: time })
    team.restore(team.snapshot())
    expect(team.bulkOps.list()).toEqual(ended)
    expect(team.connections.list()).toEqual(connections)
  }
  await call(team, 'POST /v2/link/bulk_import', body)
  expect(team.bulkOps.list()[0]).toEqual(ended[0])
})

describe('the mode of the clock and the number of the team', () => {
  it('are in a snapshot, and are restored and reset', async () => {
    const team = createMock().team({ clock: 'manual' })
    const snapshot = team.snapshot()
    team.clock.mode = 'auto'
    team.restore(snapshot)
    expect(team.clock.mode).toBe('manual')
    team.clock.mode = 'auto'
    team.reset()
    expect(team.clock.mode).toBe('manual')
  })

  it('are in a reproduction, so that its signed URLs work', async () => {
    const mock = createMock({ seed: 5 })
    mock.team()
    const team = mock.team()
    const user = team.users.create()
    const order = team.orders.create({ user_id: user.user_id })
    team.clock.mode = 'manual'
    const url = urlOf(team, order.id)
    const make = new Function('createMock', `return ${team.reproduction()}`)
    let made: ReturnType<typeof createMock> | undefined
    const again = make((options: object) => {
      made = createMock(options)
      return made
    }) as Team
    expect(again.clock.mode).toBe('manual')
    expect(urlOf(again, order.id)).toBe(url)
    expect((await made?.fetch(url))?.status).toBe(200)
    expect((await mock.fetch(url)).status).toBe(200)
    again.reset()
    team.reset()
    expect(again.snapshot()).toEqual(team.snapshot())
  })

  function urlOf(team: Team, id: string): string {
    team.orders.update(id, { status: `seen ${team.orders.get(id)?.status}` })
    const data = team.events.last('labtest.order.updated')?.body['data']
    return (data as { requisition_form_url: string }).requisition_form_url
  }
})

describe('an advance in progress', () => {
  it.each(['reset', 'restore'] as const)('stops at a %s', async (what) => {
    const team = createMock().team({ clock: 'manual' })
    const { id } = team.orders.create()
    const snapshot = team.snapshot()
    await call(team, 'GET /v2/providers')
    const waiting = book(team, id, 'bk_confirm_after_30s').catch((error) => error)
    await team.clock.whenWaiting()
    const moves = [team.clock.advance('1h'), team.clock.advance('2h'), team.clock.runToNext()]
    if (what === 'reset') team.reset()
    else team.restore(snapshot)
    const order = team.orders.create()
    const pending = book(team, order.id, 'bk_never', inBackground).catch((error) => error)
    await team.clock.whenWaiting()
    await Promise.all(moves)
    expect(await waiting).toMatchObject({ code: 'invalid_state' })
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:00Z'))
    await team.clock.advance('1s')
    expect((await pending).body.status).toBe('pending')
  })
})

describe('a webhook handler', () => {
  const moves: [string, (team: Team) => Promise<unknown>][] = [
    ['clock.advance', (team) => team.clock.advance('1s')],
    ['clock.advanceTo', (team) => team.clock.advanceTo('2030-01-01')],
    ['clock.runToNext', (team) => team.clock.runToNext()],
    ['webhooks.idle', (team) => team.webhooks.idle()],
  ]

  it.each(moves)('cannot call %s, which would wait for it', async (name, move) => {
    const team = createMock().team()
    let rejected: unknown
    team.webhooks.add({
      handler: async () => {
        await new Promise(setImmediate)
        rejected = await move(team).catch((error) => error)
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    await team.clock.advance('1h')
    expect(rejected).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(`${name}() cannot run inside a webhook handler`),
    })
    rejected = undefined
    team.trigger('daily.data.sleep.created')
    await team.webhooks.idle()
    expect(rejected).toBeInstanceOf(MockError)
  })

  it('does not stop other code that moves time', async () => {
    const team = createMock().team()
    let arrived = () => {}
    const running = new Promise<void>((resolve) => {
      arrived = resolve
    })
    team.webhooks.add({
      handler: async () => {
        arrived()
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    const first = team.clock.advance('1s')
    await running
    await Promise.all([first, team.clock.advance('2s'), team.webhooks.idle()])
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:03Z'))
  })

  it('can start work that moves time later, and can use another team', async () => {
    const mock = createMock()
    const [team, other] = [mock.team(), mock.team()]
    let later: Promise<void> | undefined
    team.webhooks.add({
      handler: async () => {
        await other.clock.advance('1s')
        later = new Promise(setImmediate).then(() => team.clock.advance('1s'))
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    await team.clock.advance('1h')
    await later
    expect(team.webhooks.list()[0]?.deliveries()).toMatchObject([{ outcome: 'delivered' }])
  })

  it('cannot move time without AsyncLocalStorage either', () => {
    const { stdout, status } = child(`
      delete process.getBuiltinModule
      const { createMock } = await import('../../mock/index.ts')
      const team = createMock().team()
      team.webhooks.add({ handler: async () => {
        await team.clock.advance('1s').catch(({ code }) => console.log(code))
        return new Response()
      } })
      team.trigger('daily.data.sleep.created')
      await team.clock.advance('1h')
    `)
    expect({ stdout, status }).toEqual({ stdout: 'invalid_state\n', status: 0 })
  })
})

it('has a typed union of due events', () => {
  const event: DueEvent = { at: 1, type: 'import.end', subject: 'a' }
  // @ts-expect-error A typo does not compile.
  event.type = 'import.ends'
  expect(event.at).toBe(1)
})

describe('the end of the calendar', () => {
  it('is the latest moment', async () => {
    const team = createMock().team()
    await team.clock.advanceTo(latest)
    expect(team.clock.now().getTime()).toBe(latest)
    await expect(team.clock.advance(1)).rejects.toMatchObject({
      code: 'invalid_time',
      message: expect.stringContaining('after the latest time that the mock supports'),
    })
    expect(team.clock.now().getTime()).toBe(latest)
    team.reset()
    expect(team.clock.now()).toEqual(new Date('2025-06-01T09:00:00Z'))
  })

  it('rejects a booking, latency or import that would end after it', async () => {
    const team = createMock().team({ importTimePerConnection: '100000000d' })
    const { id } = team.orders.create()
    const connections = [recipe(userId), recipe(userId)]
    const late = [
      book(team, id, 'bk_confirm_after_9999999999999999h'),
      book(team, id, 'bk_confirm_after_2400000000h'),
      call(team, 'POST /v2/link/bulk_import', { provider: 'oura', connections }),
    ]
    for (const { reason } of (await Promise.allSettled(late)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'invalid_time' })
    }
    expect(team.clock.pending()).toEqual([])
    expect((await book(team, id, 'bk_confirm')).status).toBe(200)
    team.faults.add({ then: { latency: '100000000d' } })
    await expect(call(team, 'GET /v2/providers')).rejects.toMatchObject({ code: 'invalid_time' })
  })

  it('keeps users alive whose next data and results would arrive after it', async () => {
    const team = createMock({ now: latest - 1 }).team()
    team.webhooks.add({ handler: () => new Response() })
    const { user_id } = team.users.create({ living: true })
    const { id } = team.orders.create({ user_id })
    team.orders.update(id, { status: 'collecting_sample' })
    await team.clock.advanceTo(latest)
    await team.webhooks.idle()
    expect(team.clock.pending()).toEqual([])
    const snapshot = team.snapshot()
    team.restore(snapshot)
    expect(team.snapshot()).toEqual(snapshot)
  })

  it('leaves events pending whose delay would end after it, and delivers to other webhooks', async () => {
    const report = vi.spyOn(console, 'error')
    const team = createMock({ now: latest - 1 }).team()
    const late = team.webhooks.add({ handler: () => new Response(), delay: '1d' })
    const failing = team.webhooks.add({ handler: () => new Response(null, { status: 500 }) })
    const { number } = team.trigger('example', {}, { unknown: true })
    await team.webhooks.idle()
    await team.clock.advanceTo(latest)
    await team.webhooks.idle()
    expect(late.pending).toBe(1)
    expect(failing.planned()).toMatchObject([{ number, attempt: 2 }])
    expect(report).not.toHaveBeenCalled()
  })
})

describe('whenWaiting in a webhook handler', () => {
  it('rejects at once instead of waiting without end', async () => {
    const team = createMock().team({ clock: 'manual' })
    const errors: unknown[] = []
    team.webhooks.add({
      handler: async () => {
        await team.clock.whenWaiting(1).catch((error) => errors.push(error))
        return new Response()
      },
    })
    team.trigger('daily.data.sleep.created')
    await team.clock.advance('1s')
    expect(errors).toEqual([expect.objectContaining({ code: 'invalid_state' })])
  })
})
