/** Receives events with NestJS: `npm run example examples/receive-with-nest.ts`. */
import 'reflect-metadata'
import { Controller, Module, Post, type RawBodyRequest, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import type { Request, Response } from 'express'
import { certify, toTable } from 'health-lab-sdk/certify'
import { nodeEventHandler } from 'health-lab-sdk/events'
import { NightStore } from './support/nights.ts'
import { check, fact, part, printSummary } from './support/terminal.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const nights = new NightStore()

/** `@Controller('events')` */
class EventsController {
  readonly #receive = nodeEventHandler({
    secrets: secret,
    on: nights.listeners,
    fallback: () => {}, // accepts the events that this program does not use
  })

  /** `@Post() async receive(@Req() request: …, @Res() response: Response)` */
  async receive(request: RawBodyRequest<Request>, response: Response): Promise<void> {
    request.body = request.rawBody // the signature covers the raw bytes, not the parsed body
    await this.#receive(request, response)
  }
}

/** `@Module({ controllers: [EventsController] })` */
class EventsModule {}

// Node does not compile decorators. In a project, write them as in the comments above.
const { prototype } = EventsController
const method = Object.getOwnPropertyDescriptor(prototype, 'receive') as PropertyDescriptor
Controller('events')(EventsController)
Post()(prototype, 'receive', method)
Req()(prototype, 'receive', 0)
Res()(prototype, 'receive', 1)
Module({ controllers: [EventsController] })(EventsModule)

const app = await NestFactory.create<NestExpressApplication>(EventsModule, {
  rawBody: true, // keeps the raw bytes of the body alongside the parsed body
  logger: false,
})
app.useBodyParser('json', { limit: '10mb' }) // the default of 100 kB is too small for batches
await app.listen(0, '127.0.0.1')

part('Certify')
const report = await certify({
  url: `${await app.getUrl()}/events`,
  secret,
  probe: ({ user_id }) => nights.list(user_id),
})
if (report.failed > 0) console.log(toTable(report))
fact('passed', report.passed)
check('the receiver fails no case', report.failed === 0)

app.getHttpServer().closeAllConnections()
await app.close()
printSummary()
