import { Command } from 'commander'

export function openapi(): Command {
  return new Command('openapi')
    .description('Print the OpenAPI 3.1 document of the service.')
    .option('--url <url>', "the service's base URL in the document", '/')
    .option('--json', 'print errors as JSON')
    .action(async ({ url }: { url: string }) => {
      const { serviceDocument } = await import('../control/service-document.ts')
      process.stdout.write(`${JSON.stringify(serviceDocument(url), null, 2)}\n`)
    })
}
