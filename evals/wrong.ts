// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are code
/** A change of a task's solution that makes it wrong. */
export interface Mistake {
  what: string
  from: string
  to: string
  /** A line before the solution, such as an import. */
  before?: string | undefined
}

const mistake = (what: string, from: string, to: string, before?: string): Mistake => ({
  ...{ what, from, to, before },
})

const bookOnce = 'client.orders.bookAndWait(orderId, booking)'
const idempotent = 'writes.orders.create(basket, order)'
const rest = "return result === 'cancelled' ? 'not booked' : 'ask a person'"

/** The five mistakes of each task, by its name. Programs and models make all of them. */
export const mistakes: Record<string, readonly Mistake[]> = {
  'book-visit': [
    mistake('takes every other result for a failure', rest, "return 'not booked'"),
    mistake('takes an unknown result for a visit', "result === 'booked'", "result !== 'cancelled'"),
    mistake(
      'books again after an unknown result',
      rest,
      'return bookVisit(client, orderId, bookingKey)',
    ),
    mistake(
      'takes a pending visit for a confirmed one',
      `const { result } = await ${bookOnce}`,
      "await client.orders.bookPhlebotomyAppointment(orderId, booking)\n  const result: string = 'booked'",
    ),
    mistake(
      'takes every error for a failure',
      `const { result } = await ${bookOnce}`,
      `const result = await client.orders.bookPhlebotomyAppointment(orderId, { booking_key: bookingKey }).then(() => 'booked', () => 'cancelled')`,
    ),
  ],
  'place-order': [
    mistake('uses a random id', '(basket, order)', '(crypto.randomUUID(), order)'),
    mistake('creates the order without a key', idempotent, 'client.orders.create(order)'),
    mistake(
      'uses a new key for each attempt',
      idempotent,
      'client.orders.create(order, { idempotencyKey: crypto.randomUUID() })',
    ),
    mistake(
      'retries by itself',
      idempotent,
      'client.orders.create(order).catch(() => client.orders.create(order))',
    ),
    mistake(
      'keeps writes in the process',
      '{ store }',
      '{ store: memoryStore() }',
      "import { memoryStore } from 'health-lab-sdk/stores'",
    ),
  ],
  'receive-events': [
    mistake(
      'verifies nothing',
      'return eventHandler({',
      "return async (request) => {\n    save(parseEvent(await request.json()))\n    return new Response('ok')\n  }\n  eventHandler({",
      "import { parseEvent } from 'health-lab-sdk/events'",
    ),
    mistake('keeps the version that arrives last', 'if (isNewer) ', ''),
    mistake(
      'keeps the version that arrives first',
      'const isNewer = !stored || ',
      'const isNewer = !stored && ',
    ),
    mistake(
      'accepts messages of any age',
      'secrets: secret,',
      'secrets: secret,\n    tolerance: 1e9,',
    ),
    mistake(
      'rejects unknown events',
      'fallback: () => {}',
      "fallback: () => {\n      throw new Error('unknown')\n    }",
    ),
  ],
  'list-markers': [
    mistake(
      'reads the first page',
      'for await (const { name } of client.labTests.listMarkers({ size: 20 })) names.push(name)',
      'for (const { name } of (await client.labTests.listMarkers({ size: 20 })).markers) names.push(name)',
    ),
    mistake(
      'stops after 50',
      'names.push(name)',
      '{\n    if (names.length < 50) names.push(name)\n  }',
    ),
    mistake('sorts', 'return names', 'return names.toSorted()'),
    mistake(
      'hides errors',
      'for await (const { name } of client.labTests.listMarkers({ size: 20 })) names.push(name)',
      'try {\n    for await (const { name } of client.labTests.listMarkers({ size: 20 })) names.push(name)\n  } catch {}',
    ),
    mistake('uses a field that does not exist', '{ name }', '{ title: name }'),
  ],
  'import-connections': [
    mistake(
      'does not continue',
      'only: remainingRanges(checkpoints),',
      'only: remainingRanges([]),',
    ),
    mistake('stores no checkpoints', 'checkpoints.push(checkpoint)', 'void checkpoint'),
    mistake('imports the first batch only', "'oura', recipes,", "'oura', recipes.slice(0, 2),"),
    mistake('imports in one batch', 'batchSize: 2', 'batchSize: 1000'),
    mistake('imports to another provider', "'oura'", "'fitbit'"),
  ],
  'mean-scores': [
    mistake('invents a score', ': null', ': 0'),
    mistake(
      'fails with the first user that fails',
      'if (!result) continue',
      "if (!result) throw new Error('failed')",
    ),
    mistake(
      'adds users that failed',
      'if (!result) continue',
      'if (!result) {\n      scores.set(userId, null)\n      continue\n    }',
    ),
    mistake(
      'drops users without a score',
      'scores.set(',
      "if (typeof score === 'number') scores.set(",
    ),
    mistake('reads one day', 'past(7,', 'past(1,'),
  ],
  'advise-on-error': [
    mistake('retries after an unknown outcome', "'check first'\n", "'retry later'\n"),
    mistake(
      'calls a rate limit a mistake',
      "if (error instanceof RateLimitError) return 'retry later'\n",
      '',
    ),
    mistake(
      'retries invalid input',
      "if (error instanceof RequestValidationError) return 'fix'\n",
      '',
    ),
    mistake('hides errors of the program', 'throw error', "return 'fix'"),
    mistake('compares with an outcome that does not exist', "'not-sent'", "'not_sent'"),
  ],
  'log-failure': [
    mistake(
      'logs the body',
      '`${operation} failed,',
      '`${operation} failed, ${JSON.stringify(Object(error).body)},',
    ),
    mistake(
      'logs the explanation',
      '`${operation} failed,',
      '`${operation} failed, ${Object(error).detail},',
    ),
    mistake(
      'logs the input',
      '`${operation} failed,',
      '`${operation} failed for ${JSON.stringify(_input)},',
    ),
    mistake('logs no request', ', request ${requestId}', ''),
    mistake('writes several lines', 'log(`', 'log(error.message)\n  log(`'),
  ],
  'label-status': [
    mistake('throws for a new status', "return 'See details'", "throw new Error('unknown status')"),
    mistake('takes a new status for a confirmed one', "return 'See details'", "return 'Confirmed'"),
    mistake('takes a pending visit for a confirmed one', "return 'Waiting'", "return 'Confirmed'"),
    mistake('shows the status of the service', "return 'See details'", 'return status as Label'),
    mistake('takes any type', "status: Appointment['status']", 'status: any'),
  ],
  'sign-in': [
    mistake(
      'gives everybody the first token',
      'const { sign_in_token } = await client.users.createSignInToken(userId)',
      'first ??= client.users.createSignInToken(userId)\n  const { sign_in_token } = await first',
      "import type { SignInToken } from 'health-lab-sdk'\nlet first: PromiseLike<SignInToken> | undefined",
    ),
    mistake(
      'gives the app the API key',
      'token: sign_in_token }',
      'token: sign_in_token, key: await client.readApiKey() }',
    ),
    mistake(
      'gives the app the whole response',
      '{ userId, token: sign_in_token }',
      '{ userId, token: sign_in_token, ...(await client.users.createSignInToken(userId)) }',
    ),
    mistake(
      'returns an empty token',
      'await client.users.createSignInToken(userId)',
      "await client.users.createSignInToken(userId).catch(() => ({ sign_in_token: '' }))",
    ),
    mistake(
      'returns the id as the token',
      'token: sign_in_token',
      'token: userId + sign_in_token.slice(0, 0)',
    ),
  ],
  'keep-newest': [
    mistake('keeps the version that arrives last', 'if (isNewer) ', ''),
    mistake('keeps the version that arrives first', '!stored || Date', '!stored && Date'),
    mistake('keeps only known nights', '!stored || Date', 'stored && Date'),
    mistake(
      'compares text',
      'Date.parse(stored.updated_at) < Date.parse(night.updated_at)',
      'stored.updated_at < night.updated_at',
    ),
    mistake(
      'keeps the better score',
      'Date.parse(stored.updated_at) < Date.parse(night.updated_at)',
      '(stored.score ?? 0) < (night.score ?? 0)',
    ),
  ],
  'test-a-visit': [
    mistake('does not move the clock', 'await team.clock.advance(time)', 'void time'),
    mistake(
      'waits in real time',
      'await team.clock.advance(time)',
      'await new Promise((resolve) => setTimeout(resolve, 5000))',
    ),
    mistake('moves the clock by a fixed time', 'advance(time)', "advance('5m')"),
    mistake('expects the result', 'return status', "return status && 'confirmed'"),
    mistake('books without a pending appointment', ', async_confirmation: true', ''),
  ],
}
