import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { output, type Trial } from './trial.ts'

/** @param args Arguments that come before the program. */
function programs(name: string, version: string, ...args: string[]): Trial[] {
  const command = name.toLowerCase()
  const trial = (what: string, file: string): Trial => ({
    name: `${name} ${version}`,
    what,
    tool: `${command}@${version}`,
    run: (consumer, tool) =>
      output(consumer, join(tool, 'node_modules/.bin', command), ...args, file),
  })
  return [
    trial('smoke suite', 'main.js'),
    trial("the caller's line in stacks of errors", 'check-stacks.js'),
    trial('calls whose response is lost', 'check-lost-response.js'),
  ]
}

/** Uses `require()`, which has supported ES modules since Node 22.12. */
function commonJs(version: string, entries: string[]): Trial {
  return {
    name: `Node ${version}`,
    what: 'require() from CommonJS',
    tool: `node@${version}`,
    run(consumer, tool) {
      const lines = entries.map((entry) => `if (!require('${entry}')) process.exit(1)`)
      writeFileSync(join(consumer, 'main.cjs'), lines.join('\n'))
      output(consumer, join(tool, 'node_modules/.bin/node'), '--no-warnings', 'main.cjs')
      return `${entries.length} entry points`
    },
  }
}

/** Runs the smoke suite as a worker without Node modules, in a workerd test. */
const workerd: Trial = {
  name: 'workerd 1.20261117.1',
  what: 'smoke suite',
  tool: 'workerd@1.20261117.1',
  run(consumer, tool) {
    const worker = "export default { async test() { console.log(await smoke(), 'checks') } }"
    const { warnings } = buildSync({
      stdin: { contents: `import { smoke } from './smoke.js'\n${worker}`, resolveDir: consumer },
      outfile: join(consumer, 'worker.js'),
      bundle: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['workerd', 'worker'],
      logLevel: 'silent',
    })
    if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'))
    const modules = '[(name = "worker.js", esModule = embed "worker.js")]'
    const settings = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
const main :Workerd.Worker = (modules = ${modules}, compatibilityDate = "2026-01-01");
`
    writeFileSync(join(consumer, 'workerd.capnp'), settings)
    const command = join(tool, 'node_modules/.bin/workerd')
    return output(consumer, command, 'test', 'workerd.capnp', '--verbose')
  },
}

/** Includes the oldest supported Node version and the latest of each major version. */
export function runtimes(entries: string[]): Trial[] {
  const forCommonJs = entries.filter((entry) => !/vitest|playwright/.test(entry))
  return [
    ...programs('Node', '22.13.0'),
    commonJs('22.13.0', forCommonJs),
    ...programs('Node', '22.23.3'),
    ...programs('Node', '24.21.0'),
    commonJs('24.21.0', forCommonJs),
    ...programs('Node', '26.10.0'),
    ...programs('Bun', '1.4.5', 'run'),
    ...programs('Deno', '2.9.6', 'run', '--allow-env', '--allow-read', '--allow-net=127.0.0.1'),
    workerd,
  ]
}
