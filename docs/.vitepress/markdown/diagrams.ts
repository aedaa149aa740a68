import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'

/**
 * Draws `mermaid` blocks as SVG when the site is built, in the page's colours. The first line must be a comment with
 * the text alternative, such as `%% A retry`.
 */
export function drawDiagrams(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const token = tokens[place]
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, place, options, env, self) ?? ''
    const [, text, source = ''] = /^%% (.+)\n([\s\S]*)/.exec(token.content) ?? []
    if (!text)
      throw new Error(
        `A diagram must begin with its text alternative, such as "%% A retry": ${token.content}`,
      )
    const label = md.utils.escapeHtml(text)
    return `<figure class="diagram" role="img" aria-label="${label}" tabindex="0" v-pre>${draw(source)}</figure>\n`
  }
}

function draw(source: string): string {
  const svg = renderMermaidSVG(source, {
    bg: 'var(--vp-c-bg)',
    fg: 'var(--vp-c-text-1)',
    line: 'var(--vp-c-text-3)',
    accent: 'var(--vp-c-brand-1)',
    surface: 'var(--vp-c-bg-soft)',
    border: 'var(--vp-c-border)',
    padding: 8,
    nodeSpacing: 12,
    transparent: true,
  })
  // Edge labels have 11 px. Where they would shrink below 10 px, the diagram scrolls.
  const width = Number(/ width="([\d.]+)"/.exec(svg)?.[1])
  const style = ` style="min-width:${Math.ceil((width * 10) / 11)}px;`
  // The styles are in theme/diagrams.css: Vue ignores them inside a page, and they load a font from elsewhere.
  return svg.replace(/<style>[\s\S]*?<\/style>/, '').replace(' style="', style)
}
