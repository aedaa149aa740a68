import { Fifo } from '../../shared/lists.ts'
import type { Delivery, DeliveryExchange, Exchange } from './deliveries.ts'

/** The maximum number of recent attempts to store with their requests and responses, which can be large. */
const exchangeLimit = 100

/** A receiver's attempts, oldest first. */
export class DeliveryLog {
  #deliveries = new Fifo<Delivery>()
  #exchanges = new Fifo<DeliveryExchange>()
  #count = 0

  /** The number of attempts, including those dropped from the log. */
  get count(): number {
    return this.#count
  }

  deliveries(): Delivery[] {
    return this.#deliveries.list()
  }

  exchanges(): DeliveryExchange[] {
    return this.#exchanges.list()
  }

  add(delivery: Delivery, exchange: Exchange | undefined, limit: number): void {
    this.#count += 1
    this.#deliveries.push(delivery)
    if (this.#deliveries.length > limit) this.#deliveries.shift()
    if (!exchange) return
    this.#exchanges.push({ ...delivery, ...exchange })
    if (this.#exchanges.length > Math.min(limit, exchangeLimit)) this.#exchanges.shift()
  }

  clear(): void {
    this.#deliveries = new Fifo()
    this.#exchanges = new Fifo()
  }
}
