/** Writes the reproduction of a team to a new file in the temporary folder, and returns a line that names it. */
export function saveReproduction(reproduction: () => string): string {
  try {
    const path = writeModule(reproduction())
    return `Reproduction: ${path ?? 'call team.reproduction(), because this platform has no files.'}`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `Reproduction: none, because it could not be written. ${reason}`
  }
}

/**
 * Writes a module that exports the team. Returns its path; undefined on a platform without files. It is a CommonJS module,
 * because Jest without flags cannot load an ES module, and ES modules can import it.
 */
function writeModule(reproduction: string): string | undefined {
  // An import of Node's modules would break bundles for browsers.
  const { process } = globalThis as { process?: Partial<NodeJS.Process> }
  const fs = process?.getBuiltinModule?.('node:fs')
  const os = process?.getBuiltinModule?.('node:os')
  if (!fs?.mkdtempSync || !os) return undefined
  const path = `${fs.mkdtempSync(`${os.tmpdir()}/health-lab-sdk-`)}/team.cjs`
  const lines = [
    '// The team of a failed test. Copy this file next to your tests, and import or require the team.',
    "const { createMock } = require('health-lab-sdk/mock')",
    '',
    `exports.team = ${reproduction}`,
    '',
  ]
  fs.writeFileSync(path, lines.join('\n'), { mode: 0o600 })
  return path
}
