import { defineConfig } from '@playwright/test'

const mockUrl = 'http://127.0.0.1:4010'

/** Starts the mock before the tests and stops it after them. */
export default defineConfig({
  webServer: {
    command: 'npx health-lab-sdk mock --port 4010 --clock auto --log off',
    // The mock responds at this URL only after it has loaded the --fixture and --state files.
    url: `${mockUrl}/__mock__/health`,
    reuseExistingServer: !process.env['CI'],
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
  // To also start your application, make webServer a list, and set the application's SERVICE_BASE_URL to mockUrl.
  use: { baseURL: mockUrl },
})
