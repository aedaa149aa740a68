import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { inChromium, requestIn, serveInspector, useChromium } from '../../support/inspector.ts'

useChromium()

/** Replaces the clipboard of a page, and returns a function that clicks a button and returns what it copies. */
async function copies(page: Page) {
  // The clipboard of the browser needs a focused window.
  await page.evaluate('navigator.clipboard.writeText = async (text) => void (window.copied = text)')
  return async (name: string) => {
    await page.evaluate('delete window.copied')
    await page.getByRole('button', { name, exact: true }).click()
    await expect.poll(() => page.evaluate('window.copied')).toBeTypeOf('string')
    return page.evaluate<string>('window.copied')
  }
}

/** Runs a copied test file with a `vitest` that runs it at once, and returns its title. */
async function runTest(code: string): Promise<string> {
  const folder = mkdtempSync(join('test', 'copied-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'copied.ts')
  const body = code.replace(
    "import { expect, it } from 'vitest'",
    "import { expect } from 'vitest'\nexport let title = ''\nexport let run: () => Promise<void>\nconst it = (name: string, test: () => Promise<void>) => { title = name; run = test }",
  )
  writeFileSync(file, body)
  const copied = await import(join(process.cwd(), file))
  await copied.run()
  return copied.title
}

inChromium('moves through the history, forks a point and copies it as a test', async () => {
  const { team, client, open } = await serveInspector()
  const page = await open('rewind')
  await page.getByRole('heading', { name: 'start' }).waitFor()
  const order = team.orders.create()
  await client.orders.bookPhlebotomyAppointment(order.id, { booking_key: 'bk_confirm' })
  await client.link.listProviders()
  const detail = page.getByRole('region', { name: 'Selected point' })
  await detail.getByRole('heading', { name: 'link.listProviders 200' }).waitFor()
  await page.getByRole('slider').press('ArrowLeft')
  await detail.getByRole('heading', { name: 'orders.bookPhlebotomyAppointment 200' }).waitFor()
  await detail.getByRole('button', { name: 'appointments 1' }).click()
  await detail.locator('.json').last().getByText(`"${order.id}"`).first().waitFor()
  await page.getByRole('button', { name: 'First point' }).click()
  await detail.getByText('Only the records that every team starts with').waitFor()
  await page.getByRole('button', { name: 'Next point' }).click()
  const copy = await copies(page)
  const code = await copy('Copy as test')
  expect(code).toContain('await client.link.listProviders()')
  expect(await runTest(code)).toBe('continues after orders.bookPhlebotomyAppointment 200')
  await page.getByRole('slider').press('End')
  await detail.getByRole('heading', { name: 'link.listProviders 200' }).waitFor()
  expect(await runTest(await copy('Copy as test'))).toBe('continues after link.listProviders 200')
  await page.getByRole('button', { name: 'First point' }).click()
  await page.getByRole('button', { name: 'Next point' }).click()
  await page.getByRole('button', { name: 'Fork into a new team' }).click()
  await page
    .getByRole('option', { name: /^fork-2-1/, selected: true })
    .waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { name: `Order ${order.id.slice(0, 8)}` }).waitFor()
})

inChromium('copies a test of a request that waits for the time of a manual clock', async () => {
  const { team, client, open } = await serveInspector()
  const page = await open('rewind')
  await page.getByRole('heading', { name: 'start' }).waitFor()
  const { id } = team.orders.create()
  await client.link.listProviders()
  team.clock.mode = 'manual'
  const booked = client.orders.bookPhlebotomyAppointment(id, {
    booking_key: 'bk_confirm_after_30s',
  })
  await team.clock.whenWaiting()
  await team.clock.advance('30s')
  await booked
  await page.getByRole('button', { name: 'First point' }).click()
  await page.getByRole('button', { name: 'Next point' }).click()
  const copy = await copies(page)
  const code = await copy('Copy as test')
  expect(code).toContain('bk_confirm_after_30s')
  await runTest(code)
  await page.getByRole('button', { name: 'Next point' }).click()
  await page.getByRole('heading', { name: /^booking/ }).waitFor()
  await runTest(await copy('Copy as test'))
})

inChromium('copies a request as a command, a call and a test', async () => {
  const { team, client, open, url } = await serveInspector()
  const page = await open('requests')
  await page.getByText('This team has no requests yet.').waitFor()
  const { user_id } = team.users.create()
  await client.users.updateInfo(user_id, infoWithQuotes)
  await client.users.updateInfo(user_id, infoWithQuotes)
  await requestIn(page, 'users.updateInfo').first().click()
  await page.getByRole('heading', { name: 'users.updateInfo' }).waitFor()
  const copy = await copies(page)
  const command = await copy('Copy as curl')
  expect(command).toContain(`curl -X PATCH '${url}/v2/user/${user_id}/info'`)
  expect(command).toContain(`-H 'x-service-api-key: ${team.apiKey}'`)
  expect(command).toContain(`"first_name":"O'\\''Hara"`)
  expect(await copy('Copy as client call')).toMatch(
    new RegExp(
      `^await client\\.users\\.updateInfo\\('${user_id}', \\{\\n  first_name: 'O\\\\'Hara',`,
    ),
  )
  expect(await runTest(await copy('Copy as test'))).toBe('users.updateInfo 200')
  await page.getByRole('link', { name: 'Rewind to here' }).click()
  await page.getByRole('heading', { name: 'users.updateInfo 200' }).waitFor()
})

const infoWithQuotes = {
  first_name: "O'Hara",
  last_name: 'Byron',
  email: 'ada@example.test',
  phone_number: '+16025550100',
  gender: 'female',
  dob: '1980-01-02',
  address: {
    first_line: '1 Main Street',
    city: 'Phoenix',
    state: 'AZ',
    zip_code: '85004',
    country: 'US',
  },
}

inChromium('takes, compares and restores snapshots, and resets the team', async () => {
  const { team, open } = await serveInspector()
  const { user_id } = team.users.create({ info: { first_name: 'Ada', last_name: 'Byron' } })
  const page = await open('snapshots')
  await page.getByRole('button', { name: 'Take a snapshot' }).click()
  await page.getByRole('cell', { name: 'Snapshot 1', exact: true }).waitFor()
  team.users.update(user_id, { info: null })
  team.orders.create({ user_id })
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByText('2 records', { exact: true }).waitFor()
  await page.locator('summary').filter({ hasText: 'users' }).click()
  await page.getByText('Ada').waitFor()
  await page.getByRole('button', { name: 'Restore snapshot 1' }).click()
  await page.getByRole('status').getByText('Restored snapshot 1.').waitFor()
  expect(team.users.get(user_id)?.info).toMatchObject({ first_name: 'Ada' })
  expect(team.orders.size).toBe(0)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Reset the team' }).click()
  await page.getByRole('status').getByText('Reset the team.').waitFor()
  expect(team.users.size).toBe(0)
})

inChromium('finds ids, bodies and paths everywhere', async () => {
  const { team, client, open } = await serveInspector()
  const order = team.orders.create()
  await client.orders.bookPhlebotomyAppointment(order.id, {
    booking_key: 'bk_confirm',
    appointment_notes: 'Ring twice at the green door',
  })
  const page = await open('users')
  await page.getByRole('heading', { name: 'Users' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('green TWICE')
  await page.getByRole('heading', { name: 'Requests 1' }).waitFor()
  await page.getByRole('heading', { name: /^Events/ }).waitFor()
  await page.getByRole('heading', { name: 'Records 1' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'orders.bookPhlebotomyAppointment 200' }).click()
  await page.getByText('"Ring twice at the green door"').first().waitFor()
  await page.getByRole('searchbox', { name: 'Search everything' }).fill(order.id)
  await page.getByRole('link', { name: `orders ${order.id}` }).click()
  const detail = page.getByRole('region', { name: 'Selected order' })
  await detail.getByText('received.at_home_phlebotomy.ordered').waitFor()
  await detail.getByRole('button', { name: 'Complete with results' }).click()
  await detail.getByRole('cell', { name: 'Glucose' }).waitFor()
  await detail.getByText('completed.at_home_phlebotomy.completed').waitFor()
})
