import type { Browser, Locator, Page } from '@playwright/test'
import { inSite, openPage } from './open-page.ts'

/** Programs that a reader could write, and their expected output. */
const programs: Record<string, { code: string; prints: RegExp }> = {
  'shows the class and the message of an error': {
    code: `import { ApiError, ServiceClient } from 'health-lab-sdk'
new ServiceClient({ apiKey: 'key' })`,
    prints: /^\w*Error: .*baseUrl/,
  },
  'shows what a rejected promise says': {
    code: `Promise.reject(new RangeError('later'))
await new Promise((resolve) => setTimeout(resolve, 20))`,
    prints: /^RangeError: later/,
  },
  'says where a program is not valid': {
    code: '\n\nconst = 1',
    prints: /^SyntaxError: .* in line 3\./,
  },
  'shows the line of an error of the program': {
    code: `const missing = undefined
const read = (value) =>
  value.length
read(missing)`,
    prints: /^TypeError: .*\n {4}in line 3 of the block/,
  },
  'shows the line of a call that failed': {
    code: `import { ServiceClient } from 'health-lab-sdk'
const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test' })

await client.users.createSignInToken('')`,
    prints: /^RequestValidationError: .*\n {4}in line 4 of the block/,
  },
  'says that a module needs Node': { code: `import 'node:fs'`, prints: /node:fs .*Node/ },
  'connects to nothing': {
    code: `for (const connect of [
  () => fetch(SITE + '/sandbox.js'),
  () => fetch(SITE + '/sandbox.js', { mode: 'no-cors' }),
  () => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.onload = resolve
    request.onerror = reject
    request.open('GET', SITE + '/sandbox.js')
    request.send()
  }),
  () => importScripts(SITE + '/sandbox.js'),
  () => new Function('url', 'return import(url)')(SITE + '/sandbox.js'),
  () => new Promise((resolve, reject) => {
    const socket = new WebSocket(SITE.replace('http', 'ws'))
    socket.onopen = resolve
    socket.onerror = reject
  }),
  () => new Promise((resolve, reject) => {
    const worker = new Worker(SITE + '/sandbox.js')
    worker.onmessage = resolve
    worker.onerror = reject
  }),
]) console.log(await Promise.resolve().then(connect).then(() => 'connected', () => 'refused'))`,
    prints: /^(?:refused\n){7}$/,
  },
  'reaches neither the page nor what it stores': {
    code: `const names = ['document', 'parent', 'localStorage', 'cookieStore']
console.log(names.filter((name) => Reflect.get(globalThis, name)).length)
console.log(location.origin, await new Promise((resolve) => {
  try { indexedDB.open('a').onerror = resolve } catch (error) { resolve(error.name) }
}))`,
    prints: /^0\nnull SecurityError\n$/,
  },
  'ends the output of an endless loop': {
    code: `for (let line = 0; line < 5000; line += 1) console.log(line)`,
    prints: /998\n… the program printed 1000 lines\n$/,
  },
}

/** A block's code while it is editable. The buttons' module is loaded on first use. */
const editable = 'code[contenteditable="plaintext-only"]'

/** Edits and runs blocks like a reader. Checks what the sandbox rejects, and how a program is stopped. */
export function checkSandbox(): Promise<string[]> {
  return inSite(async (browser, url) => [
    ...(await runAll(browser, url)),
    ...(await stopEndlessLoop(await openBlock(browser, url))),
  ])
}

interface ShownBlock {
  page: Page
  block: Locator
}

async function openBlock(browser: Browser, url: string): Promise<ShownBlock> {
  const page = await browser.newPage()
  await openPage(page, `${url}/start/overview.html`)
  return { page, block: page.locator('div:has(> .run-bar)').first() }
}

async function runAll(browser: Browser, url: string): Promise<string[]> {
  const findings: string[] = []
  const requests: string[] = []
  const shown = await openBlock(browser, url)
  await run(shown)
  shown.page.on('requestfinished', (request) => requests.push(request.url()))
  await press(shown, 'Edit')
  for (const [name, { code, prints }] of Object.entries(programs)) {
    await shown.block.locator(editable).fill(code.replaceAll('SITE', `'${url}'`))
    const output = await run(shown)
    if (!prints.test(output)) findings.push(`The sandbox does not pass "${name}": ${output}`)
  }
  // The page also preloads pages behind visible links.
  const sent = requests.filter((address) => address.endsWith('/sandbox.js'))
  if (sent.length > 0) findings.push('Programs in the sandbox send requests.')
  await press(shown, 'Reset')
  if (!(await run(shown)).includes("'oura'")) findings.push('Reset does not restore the code.')
  return findings
}

async function run(shown: ShownBlock): Promise<string> {
  const output = shown.block.locator('.run-output')
  await output.evaluate((element) => element.removeAttribute('data-state'))
  await press(shown, 'Run')
  await output.and(shown.page.locator('[data-state="done"]')).waitFor({ timeout: 60_000 })
  return (await output.textContent()) ?? ''
}

async function press({ block }: ShownBlock, name: string): Promise<void> {
  await block.getByRole('button', { name, exact: true }).click()
}

async function stopEndlessLoop(shown: ShownBlock): Promise<string[]> {
  await press(shown, 'Edit')
  await shown.block.locator(editable).fill('console.log(1)\nwhile (true) {}')
  await press(shown, 'Run')
  await shown.block.locator('.run-line').waitFor()
  await press(shown, 'Stop')
  // The button works only after the actions module is loaded.
  const gone = shown.page.locator('iframe').waitFor({ state: 'detached', timeout: 60_000 })
  const isStopped = await gone.then(
    () => true,
    () => false,
  )
  await press(shown, 'Reset')
  const isRunning = (await run(shown)).includes("'oura'")
  return isStopped && isRunning ? [] : ['An endless loop cannot be stopped.']
}
