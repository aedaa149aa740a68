// A program: lists the providers of a service that only a proxy can reach, and prints the result or the error.
import { ServiceClient } from '../../../src/index.ts'

const [baseUrl = ''] = process.argv.slice(2)
const client = new ServiceClient({ apiKey: 'key', baseUrl, maxRetries: 0 })
const providers = await client.link.listProviders().catch((error: unknown) => (error as Error).name)
console.log(JSON.stringify(providers))
