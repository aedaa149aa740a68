import { Command } from 'commander'

/** `health-lab-sdk openapi`: prints the OpenAPI document. */
export const openapi = new Command('openapi')
  .description('Print the service as an OpenAPI 3.1 document.')
  .option('--url <url>', "the service's base URL, to stand in the document", '/')
  .option('--json', 'print errors as JSON, too')
  .action(async ({ url }: { url: string }) => {
    const { openApi } = await import('../../src/openapi/document.ts')
    process.stdout.write(`${JSON.stringify(openApi({ url }), null, 2)}\n`)
  })
