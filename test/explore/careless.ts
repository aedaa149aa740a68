import { ExploreError, type ExploreOptions } from 'health-lab-sdk/mock/explore'
import { base, orderOf } from './corpus/kit.ts'

export const quiet = { print: () => {}, budget: { runs: 200 } }

export type Context = ReturnType<typeof base>

/** A program that orders again after any error. */
export const careless: ExploreOptions<Context> = {
  ...quiet,
  setup: base,
  scenario: async (context) => {
    const create = () => context.client.orders.create(orderOf(context))
    const { order } = await create().catch(create)
    context.db.orders.set(order.id, 'created')
  },
}

/** Returns the error of an exploration that must fail. */
export async function failureOf(running: Promise<unknown>): Promise<ExploreError> {
  const error = await running.catch((reason: unknown) => reason)
  if (error instanceof ExploreError) return error
  throw error
}
