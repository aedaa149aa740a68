import { readFileSync } from 'node:fs'
import type { MarkdownRenderer } from 'vitepress'
import { type Program, programsOf, readInfo } from '../code/blocks.ts'
import { pageFiles } from '../navigation.ts'
import { type RunnableBlock, runnableBlocks, sharedFiles } from '../run/browser.ts'
import type { PageEnvironment } from './token.ts'

interface Environment extends PageEnvironment {
  isIndexed?: boolean
  /** The page's runnable blocks, keyed by code. Set when the first block is rendered. */
  runs?: Map<string, RunnableBlock>
}

/** Adds buttons to blocks that run in the reader's browser. Adds a line to other blocks that says why they do not run. */
export function addRuns(md: MarkdownRenderer): void {
  const files = sharedFiles(pageFiles().flatMap((file) => programsIn(file)))
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env: Environment, self) => {
    const html = fence?.(tokens, place, options, env, self) ?? ''
    const { info = '', content = '' } = tokens[place] ?? {}
    if (env.isIndexed || !html.trimEnd().endsWith('</div>')) return html
    env.runs ??= runsOf(`docs/${env.relativePath}`, files)
    const run = env.runs.get(content)
    const note = noteOf(run, info)
    const footer = note ? `<p class="run-note">${md.utils.escapeHtml(note)}</p>` : bar(run)
    return html.replace(/<\/div>\s*$/, () => `${footer}</div>\n`)
  }
}

function programsIn(file: string): Program[] {
  return programsOf(file.replace(/^docs\//, ''), readFileSync(file, 'utf8'))
}

function runsOf(file: string, files: ReadonlyMap<string, string>): Map<string, RunnableBlock> {
  // Pages of the API reference are not compiled.
  const programs = pageFiles().includes(file) ? programsIn(file) : []
  return new Map(runnableBlocks(programs, files).map((run) => [run.block.code, run]))
}

/** Says why a block does not run in the browser, or is not tested. */
function noteOf(run: RunnableBlock | undefined, info: string): string | undefined {
  if (run?.obstacle) return `Run it in Node: it uses ${run.obstacle}.`
  const { words, reason } = readInfo(info)
  if (!reason) return undefined
  return `${words.includes('not-run') ? 'Compiled, but not run' : 'Not compiled'}: ${reason}.`
}

function bar(run: RunnableBlock | undefined): string {
  if (!run) return ''
  const { program, place } = run
  const before = place === 1 ? 'the block before' : `the ${place} blocks before`
  return `<div class="run-bar" data-program="${program}" data-place="${place}">
<button type="button" data-action="run">Run</button>
<button type="button" data-action="edit">Edit</button>
<span>${place === 0 ? '' : `Runs with ${before}.`}</span>
</div><pre class="run-output" role="log" aria-label="Output" tabindex="0" hidden></pre>`
}
