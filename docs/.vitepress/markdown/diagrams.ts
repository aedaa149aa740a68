import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'

/**
 * Draws `mermaid` blocks as SVG when the site is built, in the page's colours. The first line must be a comment with
 * the text alternative, such as `%% A retry`. On a desktop, a `mermaid wide` flowchart runs from left to right.
 */
export function drawDiagrams(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const token = tokens[place]
    const [language, word] = token?.info.trim().split(' ') ?? []
    if (!token || language !== 'mermaid') return fence?.(tokens, place, options, env, self) ?? ''
    const [, text, source = ''] = /^%% (.+)\n([\s\S]*)/.exec(token.content) ?? []
    if (!text)
      throw new Error(
        `A diagram must begin with its text alternative, such as "%% A retry": ${token.content}`,
      )
    const label = md.utils.escapeHtml(text)
    const svg = word === 'wide' ? drawBoth(source) : draw(source)
    return `<figure class="diagram" role="img" aria-label="${label}" tabindex="0" v-pre>${svg}</figure>\n`
  }
}

/** Draws a flowchart from top to bottom and from left to right. The theme shows one of them. */
function drawBoth(source: string): string {
  const wide = draw(source.replace('flowchart TD', 'flowchart LR'))
  const withOwnIds = wide.replaceAll(/(?<=\bid="|url\(#)/g, 'wide-')
  return `<div class="narrow">${draw(source)}</div><div class="wide">${withOwnIds}</div>`
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
  const style = ` style="min-width:${minimumWidth(svg)}px;`
  // The styles are in theme/diagrams.css: Vue ignores them inside a page, and they load a font from elsewhere.
  return widenNotes(svg)
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(' style="', style)
}

/** The size of the smallest text on a phone, in pixels. */
const smallestText = 10

/** Returns the width below which a diagram must not shrink, so that its text stays readable. Below it, it scrolls. */
export function minimumWidth(svg: string): number {
  const width = Number(/ width="([\d.]+)"/.exec(svg)?.[1])
  const sizes = [...svg.matchAll(/ font-size="([\d.]+)"/g)].map(([, size]) => Number(size))
  return Math.ceil((width * smallestText) / Math.min(...sizes))
}

/** Adds space beside the text of notes, because their boxes assume a narrower font. */
export function widenNotes(svg: string): string {
  return svg.replaceAll(/<g class="note"[\s\S]*?<\/g>/g, (note) => {
    const middle = Number(/<text x="([\d.]+)"/.exec(note)?.[1])
    return note.replaceAll(/(?<=points="[^"]*)([\d.]+)(?=,)/g, (x) =>
      String(Number(x) < middle ? Number(x) - noteSpace : Number(x) + noteSpace),
    )
  })
}

const noteSpace = 10
