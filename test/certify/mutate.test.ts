import { expect, it } from 'vitest'
import { certifyMutations, toMutationTable } from '../../src/certify/index.ts'
import { secret } from '../support/signed.ts'
import { Receiver, reply } from './receiver.ts'

/** Cases of which each notices one missing check. */
const only = [
  'signature/wrong-secret',
  'signature/missing-headers',
  'signature/changed-body',
  'timestamp',
  'duplicate/sequential-once',
  'duplicate/lost-response-once',
  'order/stale-update',
  'order/created-after-updated',
  'connection/current',
]

it('shows which cases notice each missing check, and removes one only', async () => {
  const { certified, results } = await certifyMutations({
    ...new Receiver().options(),
    ...{ timeout: 1_000, only },
  })
  expect(certified.failed).toBe(0)
  const noticed = Object.fromEntries(results.map(({ check, noticedBy }) => [check, noticedBy]))
  expect(noticed).toEqual({
    // Old messages stay old.
    signature: expect.arrayContaining([
      'signature/wrong-secret',
      'signature/changed-body',
      'signature/missing-headers',
    ]),
    // Forgeries stay forgeries.
    time: expect.arrayContaining(['timestamp/old-svix', 'timestamp/old', 'timestamp/future']),
    dedupe: ['duplicate/sequential-once', 'duplicate/lost-response-once'],
    order: ['order/created-after-updated', 'order/stale-update'],
    type: ['connection/current'],
  })
  expect(noticed['signature']).not.toContain('timestamp/old')
  expect(noticed['time']?.join(' ')).not.toContain('signature/')
})

it('says what to do when no case notices', async () => {
  const receiver = new Receiver()
  const report = await certifyMutations({
    ...receiver.options(),
    probe: () => receiver.stored(),
    timeout: 1_000,
    only: ['duplicate/sequential-once'],
  })
  expect(toMutationTable(report)).toContain(
    [
      'dedupe     Gives each delivery of a message a new id',
      '           No case detects this. Upserting records by id hides duplicates.',
    ].join('\n'),
  )
})

it('formats the cases that notice', async () => {
  const report = await certifyMutations({
    ...new Receiver().options(),
    timeout: 1_000,
    only: ['timestamp/old', 'signature/wrong-secret'],
  })
  expect(toMutationTable(report)).toMatchInlineSnapshot(`
    "2 passed, 0 failed, 0 skipped

    Without one check:
    signature  Signs every message, even forgeries
               1 case detects this: signature/wrong-secret
    time       Signs every genuine message with the current time
               1 case detects this: timestamp/old
    dedupe     Gives each delivery of a message a new id
               No case detects this. Upserting records by id hides duplicates. Return handled from the probe to detect messages that are handled twice.
    order      Sets a later updated_at in the records of each message
               No case detects this. Pass a probe whose records have the event's fields, such as score and updated_at.
    type       Sends each message as daily.data.sleep.created
               No case detects this. This result is expected if the receiver handles all types in the same way. Otherwise, return records of other types from the probe.
    "
  `)
})

it('removes nothing from a receiver that passes no case', async () => {
  const receive = async () => reply(401)
  const { certified, results } = await certifyMutations({
    handler: receive,
    ...{ secret, only: ['signature/valid'] },
  })
  expect([certified.failed, results]).toEqual([1, []])
})
