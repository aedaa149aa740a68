import type { Argument, Command, Option } from 'commander'
import { certifyCommand } from '../../../mock/cli/certify.ts'
import { conformance } from '../../../mock/cli/conformance.ts'
import { openapi } from '../../../mock/cli/documents.ts'
import { mock } from '../../../mock/cli/mock.ts'
import { sync } from '../../../mock/cli/sync/command.ts'
import { trigger } from '../../../mock/cli/trigger.ts'
import { code, fillPage, table } from './markdown.ts'

const commands: Record<string, () => Command> = {
  mock,
  trigger,
  conformance,
  certify: certifyCommand,
  sync,
  openapi,
}

export function cliPage(): string {
  const tables = Object.entries(commands).map(([name, command]) => [name, optionsOf(command())])
  return fillPage('cli.md', Object.fromEntries(tables))
}

function optionsOf(command: Command): string {
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)]
  return table(['Option', 'Default', 'Meaning'], rows)
}

function argumentRow(argument: Argument): string[] {
  return [code(`<${argument.name()}>`), '', sentence(argument.description)]
}

function optionRow({ flags, envVar, defaultValue, description, argChoices }: Option): string[] {
  const hasDefault = defaultValue !== undefined && typeof defaultValue !== 'boolean'
  const value = hasDefault ? code(String(defaultValue)) : ''
  const unset = value && `, or ${value} if unset`
  return [
    code(flags),
    envVar ? `The ${code(envVar)} variable${unset}` : value,
    sentence(description) +
      (argChoices ? ` Possible values: ${argChoices.map(code).join(', ')}.` : ''),
  ]
}

function sentence(text: string): string {
  const escaped = text.replaceAll('|', '\\|').replaceAll(/"([^"]+)"|(--[a-z-]+)/g, '`$1$2`')
  return `${escaped.charAt(0).toUpperCase()}${escaped.slice(1)}.`
}
