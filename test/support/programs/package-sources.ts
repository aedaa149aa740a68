/** Arguments of Node that make programs import `health-lab-sdk` from its sources. */
export const packageSources = [
  '--import',
  new URL('../../../scripts/package-sources.ts', import.meta.url).href,
]
