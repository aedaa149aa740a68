import { readFileSync } from 'node:fs'

interface Manifest {
  description: string
  version: string
  repository?: string | { url: string }
}

/** The fields of `package.json` that the site shows. */
export const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))

/** Whether the changelog has changes since the version in `package.json`, which the site then documents too. */
const hasUnreleased = /^## \[Unreleased\]\s+### /m.test(readFileSync('CHANGELOG.md', 'utf8'))

/** The version that the site documents. */
export const documentedVersion = manifest.version + (hasUnreleased ? ' and unreleased changes' : '')

/** The web page of the repository, without a trailing slash; undefined while `package.json` has no `repository`. */
export const repositoryUrl = urlOf(manifest.repository)

/** Returns the web page of a repository such as `git+https://github.com/team/name.git` or `github:team/name`. */
export function urlOf(repository: Manifest['repository']): string | undefined {
  const text = typeof repository === 'object' ? repository.url : repository
  return text
    ?.replace(/^github:|^(?=[\w-]+\/[\w.-]+$)/, 'https://github.com/')
    .replace(/^git\+/, '')
    .replace(/\.git$/, '')
}

/** Returns the web page of a file in the repository. */
export function fileUrl(path: string): string | undefined {
  return repositoryUrl && `${repositoryUrl}/blob/main/${path}`
}
