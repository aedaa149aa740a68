/** Arguments of Node with which programs import `health-lab-sdk` from its sources. */
export const packageSources = [
  '--import',
  new URL('../../scripts/package-sources.ts', import.meta.url).href,
]
