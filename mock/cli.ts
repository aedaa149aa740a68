#!/usr/bin/env node

/** The oldest Node that runs the package, as in `engines` of its manifest. */
const oldest = [22, 13]

// Only syntax that old Nodes can read, and no static import: Node loads all of those before it runs a line.
const found = process.versions.node.split('.').map(Number)
if (isOlder()) refuse()
else import('./cli/main.ts')

function isOlder() {
  return found[0] === oldest[0]
    ? Number(found[1]) < Number(oldest[1])
    : Number(found[0]) < Number(oldest[0])
}

function refuse() {
  const reason = `health-lab-sdk needs Node.js ${oldest.join('.')} or later, but this is ${process.versions.node}.`
  const advice = 'Install a newer one from https://nodejs.org.'
  const isJson = process.argv.indexOf('--json') !== -1
  const line = isJson
    ? JSON.stringify({ error: `${reason} ${advice}` })
    : `error: ${reason} ${advice}`
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

export {}
