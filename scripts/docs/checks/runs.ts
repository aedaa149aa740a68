import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { type Program, programsOf } from '../../../docs/.vitepress/code/blocks.ts'
import { pageFiles } from '../../../docs/.vitepress/navigation.ts'
import { runnableBlocks, sharedFiles } from '../../../docs/.vitepress/run/browser.ts'
import { layoutFindings } from './layout.ts'
import { NodePrograms } from './node-output.ts'
import { inSite } from './open-page.ts'

/** The maximum download size for running a block, gzipped, in kilobytes. */
const limit = 430

/** Runs every block that can run in a browser, like a reader, and compares its output with the output in Node. */
export function checkRuns(): Promise<string[]> {
  return inSite(runBlocks)
}

async function runBlocks(browser: Browser, url: string): Promise<string[]> {
  const pages = new Map(pageFiles().map((file) => [file, programsIn(file)]))
  const files = sharedFiles([...pages.values()].flat())
  using programs = new NodePrograms(files)
  const findings = sizeFindings()
  let count = 0
  for (const [file, found] of pages) {
    const page = await browser.newPage()
    await page.goto(`${url}/${file.replace(/^docs\//, '').replace(/\.md$/, '.html')}`)
    findings.push(...(await layoutFindings(page)))
    for (const program of found) {
      const parts = partsInBrowser(program, files)
      count += parts.length
      const expected = parts.length > 0 ? await programs.outputs(program.file, parts) : []
      findings.push(...silentBlocks(program.file, parts, expected))
      findings.push(...(await compare(page, program.file, expected)))
    }
    await page.close()
  }
  console.log(`${count} blocks run in the browser. The others need Node:`)
  for (const line of obstacles([...pages.values()].flat(), files)) console.log(`  ${line}`)
  return findings
}

function programsIn(file: string): Program[] {
  return programsOf(file.replace(/^docs\//, ''), readFileSync(file, 'utf8'))
}

function partsInBrowser(program: Program, files: ReadonlyMap<string, string>): string[] {
  const runnable = runnableBlocks([program], files).filter(({ obstacle }) => !obstacle)
  return runnable.map(({ block }) => block.code)
}

function obstacles(programs: readonly Program[], files: ReadonlyMap<string, string>): string[] {
  return runnableBlocks(programs, files).flatMap(({ program, place, obstacle }) =>
    obstacle ? [`${program}, block ${place + 1}: ${obstacle}`] : [],
  )
}

/** Reports blocks without output, except blocks that export something, because they show a definition. */
function silentBlocks(
  program: string,
  parts: readonly string[],
  outputs: readonly string[],
): string[] {
  return parts.flatMap((code, place) =>
    outputs[place] === '' && !/^export /m.test(code)
      ? [`${program}, block ${place + 1} prints nothing.`]
      : [],
  )
}

async function compare(page: Page, program: string, expected: string[]): Promise<string[]> {
  const findings: string[] = []
  for (const [place, text] of expected.entries()) {
    const shown = await outputOf(page, program, place)
    if (await page.locator('iframe').first().isVisible())
      findings.push(`${program} shows its frame.`)
    if (shown !== (text || 'The block printed nothing.\n')) {
      findings.push(
        `${program}, block ${place + 1} prints in Node:\n${text}in the browser:\n${shown}`,
      )
    }
  }
  return findings
}

async function outputOf(page: Page, program: string, place: number): Promise<string> {
  const bar = page.locator(`.run-bar[data-program="${program}"][data-place="${place}"]`)
  const output = bar.locator('xpath=..').locator('.run-output')
  await bar.locator('[data-action="run"]').dispatchEvent('click')
  await output
    .and(page.locator('[data-state="done"]'))
    .waitFor({ state: 'attached', timeout: 60_000 })
  return (await output.textContent()) ?? ''
}

function sizeFindings(): string[] {
  const kilobytes = gzipSync(readFileSync('site/sandbox.js')).length / 1000
  const isTooLarge = kilobytes > limit
  return isTooLarge ? [`sandbox.js: ${kilobytes.toFixed(0)} kB, at most ${limit}`] : []
}
