/** What programs can import in the reader's browser, and the module of the bundle that it is. */
export const sandboxModules: Readonly<Record<string, string>> = {
  'health-lab-sdk': 'health-lab-sdk',
  'health-lab-sdk/events': 'health-lab-sdk/events',
  'health-lab-sdk/parquet': 'health-lab-sdk/parquet',
  'health-lab-sdk/conformance': 'health-lab-sdk/conformance',
  'health-lab-sdk/otel': 'health-lab-sdk/otel',
  'health-lab-sdk/mock': 'health-lab-sdk/mock',
  'health-lab-sdk/mock/conformance': 'health-lab-sdk/mock/conformance',
  'node:assert/strict': './docs/.vitepress/run/sandbox/assert.ts',
  'node:timers/promises': './docs/.vitepress/run/sandbox/timers.ts',
}
