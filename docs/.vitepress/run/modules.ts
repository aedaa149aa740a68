/**
 * The modules that programs can import in the reader's browser, each with its module in the bundle. The conformance
 * suite is not included, because readers would load too much.
 */
export const sandboxModules: Readonly<Record<string, string>> = {
  'health-lab-sdk': 'health-lab-sdk',
  'health-lab-sdk/certify': 'health-lab-sdk/certify',
  'health-lab-sdk/durable': 'health-lab-sdk/durable',
  'health-lab-sdk/events': 'health-lab-sdk/events',
  'health-lab-sdk/parquet': 'health-lab-sdk/parquet',
  'health-lab-sdk/stores': 'health-lab-sdk/stores',
  'health-lab-sdk/mock': 'health-lab-sdk/mock',
  'health-lab-sdk/mock/explore': 'health-lab-sdk/mock/explore',
  'node:assert/strict': './docs/.vitepress/run/sandbox/assert.ts',
  'node:timers/promises': './docs/.vitepress/run/sandbox/timers.ts',
}
