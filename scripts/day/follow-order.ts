import { ServiceClient } from 'health-lab-sdk'
import { connectMock } from 'health-lab-sdk/mock/remote'

/** Completes the order that another program booked, two days later, and prints what the service returns. */
const [orderId = ''] = process.argv.slice(2)
const { SERVICE_BASE_URL: url = '', SERVICE_API_KEY: apiKey = '' } = process.env
const client = new ServiceClient()
const team = connectMock(url, apiKey)

await team.faults.add({ on: 'orders.*', when: { first: 1 }, then: { status: 503 } })
const appointment = await client.orders.getPhlebotomyAppointment(orderId)
console.log(`The appointment is ${appointment.status}, after a retry.`)
await team.clock.advance('2d')
const { results } = await team.orders.complete(orderId)
console.log(`The order has ${results?.length} results.`)
await team.webhooks.idle()
console.log(`The journal has ${(await team.journal.lines()).join(', ')}.`)
