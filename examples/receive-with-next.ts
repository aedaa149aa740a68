/** Receives events with a Next.js route handler: `npm run example examples/receive-with-next.ts`. */
import { certify, toTable } from 'health-lab-sdk/certify'
import { type EventReceiver, eventHandler } from 'health-lab-sdk/events'
import { NightStore } from './support/nights.ts'
import { check, fact, part, printSummary } from './support/terminal.ts'

const nights = new NightStore() // in your program, a table: each server instance has its own memory

let receive: EventReceiver | undefined

/** The handler in `app/api/events/route.ts`. Next.js passes it a `Request` with an unread body. */
export async function POST(request: Request): Promise<Response> {
  // Not at the top of the module, because environment variables may be missing during `next build`.
  receive ??= eventHandler({
    secrets: process.env['WEBHOOK_SECRET'] ?? '',
    on: nights.listeners,
    fallback: () => {}, // accepts the events that this program does not use
  })
  return receive(request)
}

part('Certify')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
process.env['WEBHOOK_SECRET'] = secret
const report = await certify({
  handler: POST,
  secret,
  probe: ({ user_id }) => nights.list(user_id),
})
if (report.failed > 0) console.log(toTable(report))
fact('passed', report.passed)
check('the receiver fails no case', report.failed === 0)
printSummary()
