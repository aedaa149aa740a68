import { execFileSync } from 'node:child_process'
import type { MarkdownRenderer } from 'vitepress'

/** Shows a `terminal` block, such as `npm run quickstart`, with the command's output from when the site is built. */
export function showTerminals(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const { info = '', content = '' } = tokens[place] ?? {}
    if (info.trim() !== 'terminal') return fence?.(tokens, place, options, env, self) ?? ''
    const command = content.trim()
    const lines = outputOf(command).map((line) => coloured(md.utils.escapeHtml(line)))
    const text = [`<b>$ ${md.utils.escapeHtml(command)}</b>`, ...lines].join('\n')
    const output = `<pre class="terminal" tabindex="0" aria-label="${command}" v-pre><code>${text}</code></pre>`
    return `${output}<button type="button" class="show-all">Show all</button>\n`
  }
}

function outputOf(command: string): string[] {
  const [, script] = /^npm run ([\w:]+)$/.exec(command) ?? []
  if (!script) throw new Error(`A terminal block must contain npm run and a script: ${command}`)
  return execFileSync('npm', ['run', '--silent', script], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
}

function coloured(line: string): string {
  return line.replace(/^\d+\. .*|^All .*/, '<b>$&</b>').replace('✓', '<i>✓</i>')
}
