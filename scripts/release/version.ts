import { readFileSync } from 'node:fs'

/** @param kind `major`, `minor`, `patch`, or a version. */
export function nextVersion(current: string, kind: string): string {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number)
  const next: Record<string, string> = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  }
  const version = /^\d+\.\d+\.\d+$/.test(kind) ? kind : next[kind]
  if (!version) throw new Error(`Use major, minor, patch or a version, not '${kind}'.`)
  return version
}

/** The files that contain the version, each with the string before the version. */
const versioned: Record<string, string> = {
  'package.json': '"version": "',
  'src/version.ts': "export const version = '",
  'python/pyproject.toml': '\nversion = "',
  'examples/docker/Dockerfile': 'health-lab-sdk@',
  'examples/github-actions/workflow.yaml': 'health-lab-mock:',
  'docs/testing/containers.md': 'health-lab-sdk@',
}

export function newFiles(current: string, version: string, date: string): Record<string, string> {
  const files = Object.entries(versioned).map(([file, before]) => {
    const text = readFileSync(file, 'utf8')
    const found = before + current
    if (!text.includes(found)) throw new Error(`${file} does not contain ${found}`)
    return [file, text.replace(found, before + version)]
  })
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  const title = '## [Unreleased]\n'
  const released = changelog.replace(title, `${title}\n## [${version}] - ${date}\n`)
  return { ...Object.fromEntries(files), 'CHANGELOG.md': released }
}
