import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('has a section for each command of the help, with the options that it prints', () => {
  const help = (command: string) =>
    execFileSync(process.execPath, ['mock/cli.ts', command, '--help'], { encoding: 'utf8' })
  const page = readFileSync('docs/reference/cli.md', 'utf8')
  const commands = [...help('help').matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name)
  expect(commands).toEqual([
    ...['mock', 'trigger', 'conformance', 'certify', 'sync', 'openapi', 'agents', 'mcp', 'help'],
  ])
  for (const command of commands.slice(0, -1)) {
    const [, section = ''] = page.split(`\n## \`${command}\`\n`)
    const options = [...help(command).matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(
      ([, name]) => name,
    )
    const shown = section.split('\n## ')[0]
    expect(options.filter((name) => name !== '--help' && !shown?.includes(`${name}`))).toEqual([])
  }
})
