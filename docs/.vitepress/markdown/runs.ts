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
    const footer = note
      ? `<p class="run-note">${md.utils.escapeHtml(note)}</p>`
      : bar(run, env.runs)
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

/** Says what a block needs if it does not run in the browser, and whether it is untested. */
export function noteOf(run: RunnableBlock | undefined, info: string): string | undefined {
  if (run?.obstacle) {
    const before = run.place === 0 ? '' : ` together with ${blocksBefore(run.place)}`
    return `Run it in Node${before}: it uses ${run.obstacle}.`
  }
  const { words, reason } = readInfo(info)
  if (!reason) return undefined
  const [, need, file] = /^needs (.+?)(?:: (\S+))?$/.exec(reason) ?? []
  if (!need) return `This is ${reason}.`
  return [
    `To run this, you need ${need}.`,
    ...(file ? [`Save it as ${file}.`] : []),
    ...(words.includes('excerpt') ? ['It is not tested.'] : []),
  ].join(' ')
}

function blocksBefore(count: number): string {
  return count === 1 ? 'the block before' : `the ${count} blocks before`
}

function bar(run: RunnableBlock | undefined, runs: ReadonlyMap<string, RunnableBlock>): string {
  if (!run) return ''
  const { program, place } = run
  return `<div class="run-bar" data-program="${program}" data-place="${place}">
<button type="button" data-action="run">Run</button>
<button type="button" data-action="edit">Edit</button>
<span>${relationOf(run, runs)}</span>
</div><pre class="run-output" role="log" aria-label="Output" tabindex="0" hidden></pre>`
}

/** Says which blocks a block continues, or that it does not continue the blocks above it. */
function relationOf(
  { program, place }: RunnableBlock,
  runs: ReadonlyMap<string, RunnableBlock>,
): string {
  if (place > 0) return `Runs with ${blocksBefore(place)}.`
  const [first] = runs.values()
  return program === first?.program ? '' : 'New program.'
}
