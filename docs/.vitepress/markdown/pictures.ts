import { existsSync } from 'node:fs'
import type { MarkdownRenderer } from 'vitepress'

/**
 * Shows a picture of `docs/public/pictures` in the colours of the page: `![text](/pictures/inspector.png)`. The pictures are
 * taken before the site is built; a picture that was not taken is left out.
 */
export function showPictures(md: MarkdownRenderer): void {
  const image = md.renderer.rules.image
  md.renderer.rules.image = (tokens, place, options, env, self) => {
    const token = tokens[place]
    const [, name] = /^\/pictures\/([\w-]+)\.png$/.exec(token?.attrGet('src') ?? '') ?? []
    if (!name) return image?.(tokens, place, options, env, self) ?? ''
    const text = md.utils.escapeHtml(token?.content ?? '')
    return ['light', 'dark'].map((colours) => picture(`${name}-${colours}`, colours, text)).join('')
  }
}

function picture(name: string, colours: string, text: string): string {
  if (!existsSync(`docs/public/pictures/${name}.png`)) return ''
  const size = 'width="1200" height="640" loading="lazy"'
  return `<img class="picture only-${colours}" src="/pictures/${name}.png" alt="${text}" ${size}>`
}
