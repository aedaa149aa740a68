import { defineConfig } from '@playwright/test'

const mockUrl = 'http://127.0.0.1:4010'

/** Starts the mock before the tests and stops it after them. */
export default defineConfig({
  webServer: {
    command: 'npx health-lab-sdk mock --port 4010 --clock auto --log off',
    // Ready only when the records of a --fixture are there.
    url: `${mockUrl}/__mock__/health`,
    reuseExistingServer: !process.env['CI'],
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
  // Start your application with the same URL in SERVICE_BASE_URL, as a second server in a list.
  use: { baseURL: mockUrl },
})
