import { expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { certify, certifyCases, toJunit, toTable } from '../../src/certify/index.ts'
import { secret } from '../support/signed.ts'
import { Receiver, reply } from './receiver.ts'

const otherSecret = 'whsec_b3RoZXIgc2VjcmV0IG9mIHRoZSBlbmRwb2ludA=='

it('passes a correct receiver in every case', async () => {
  const receiver = new Receiver()
  receiver.secrets.push(otherSecret)
  const team = createMock({ living: true }).team()
  const { results, passed } = await certify({ ...receiver.options(), timeout: 1_000, team })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(passed).toBe(certifyCases.length)
})

it('passes a receiver that responds first, and handles messages in a job', async () => {
  const receiver = new Receiver()
  const { respond } = receiver
  const queue: (() => Promise<unknown>)[] = []
  const known = new Set<string>()
  let isRunning = false
  const drain = async () => {
    if (isRunning) return
    isRunning = true
    for (let job = queue.shift(); job; job = queue.shift()) await job()
    isRunning = false
  }
  receiver.respond = async (head, event) => {
    if (!known.has(head.id)) queue.push(() => respond.call(receiver, head, event))
    known.add(head.id)
    setTimeout(drain, 5)
    return reply(202)
  }
  const { failure: _, ...simulate } = receiver.options().simulate ?? {}
  const options = { ...receiver.options(), simulate, timeout: 300, settleTime: 1_000 }
  const { results } = await certify({ ...options, skip: ['truth'] })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})

it('prints secrets, ids and bodies nowhere', async () => {
  const bodies: string[] = []
  const report = await certify({
    secret,
    handler: async (request) => {
      bodies.push(await request.text())
      return reply(bodies.length === 1 ? 200 : 418)
    },
  })
  const text = toTable(report) + toJunit(report) + JSON.stringify(report)
  expect(report.failed).toBeGreaterThan(20)
  expect(text).not.toContain(secret)
  for (const body of bodies) {
    const id = /"user_id":\s*"([^"]+)"/.exec(body)?.[1]
    expect(id === undefined || !text.includes(id)).toBe(true)
  }
})
