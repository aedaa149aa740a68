import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Figure } from '../../bench/figure.ts'
import { atMost } from './budget.ts'

const program = `import { mean, past, query, rows, ServiceClient } from 'health-lab-sdk'
const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test' })
for await (const { price } of client.labTests.listMarkers({ name: 'glucose' })) console.log(price)
const { status } = await client.orders.bookPhlebotomyAppointment('id', { booking_key: 'key' })
const [provider] = await client.link.listProviders()
const { sign_in_token } = await client.users.createSignInToken('id')
const { results } = await client.aggregate.query('id', {
  timeframe: past(30, 'day', '2025-06-01'),
  queries: [query(mean('sleep', 'score'))],
})
console.log(status, provider?.slug, sign_in_token, rows(results[0]))
`

/** Subtracts the compiler's work for an empty program. */
export function types(consumer: string): Figure[] {
  const added = instantiations(consumer, program) - instantiations(consumer, 'export {}\n')
  return [atMost('Type instantiations of a program that uses the client', added, 5000)]
}

/** Also checks the declarations of libraries. */
function instantiations(consumer: string, text: string): number {
  writeFileSync(join(consumer, 'program.ts'), text)
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  }
  writeFileSync(
    join(consumer, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts'] }),
  )
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const printed = execFileSync(process.execPath, [tsc, '--project', '.', '--extendedDiagnostics'], {
    cwd: consumer,
    encoding: 'utf8',
  })
  return Number(/^Instantiations:\s+(\d+)/m.exec(printed)?.[1] ?? Number.NaN)
}
