#!/usr/bin/env node

/** The oldest supported version of Node.js. It must match `engines` in package.json. */
const oldestNode = [22, 13]

// Old Node versions must be able to parse this file. No static imports: Node loads them before it runs any code.
const found = process.versions.node.split('.').map(Number)
if (isOlder()) reportOldNode()
else start()

function start() {
  // From the second start on, Node reads compiled code from the temporary folder. Some runtimes lack this function.
  process.getBuiltinModule?.('node:module').enableCompileCache?.()
  import('./cli/main.ts')
}

function isOlder() {
  return found[0] === oldestNode[0]
    ? Number(found[1]) < Number(oldestNode[1])
    : Number(found[0]) < Number(oldestNode[0])
}

function reportOldNode() {
  const reason = `health-lab-sdk requires Node.js ${oldestNode.join('.')} or later, but this is ${process.versions.node}.`
  const advice = 'Install a newer version from https://nodejs.org.'
  const isJson = process.argv.indexOf('--json') !== -1
  const line = isJson
    ? JSON.stringify({ error: `${reason} ${advice}` })
    : `error: ${reason} ${advice}`
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

export {}
