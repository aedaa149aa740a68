import { existsSync } from 'node:fs'
import type { MarkdownRenderer } from 'vitepress'

/** The sizes of the pictures by their type: screenshots and charts. */
const sizes = { png: 'width="1200" height="640"', svg: 'width="480" height="536"' } as const

/**
 * Shows a picture of `docs/public/pictures` in the colours of the page: `![text](/pictures/inspector.png)`. On a phone, a
 * screenshot is that of a phone. The pictures are made before the site is built; a picture that was not made is left out.
 */
export function showPictures(md: MarkdownRenderer): void {
  const image = md.renderer.rules.image
  md.renderer.rules.image = (tokens, place, options, env, self) => {
    const token = tokens[place]
    const source = token?.attrGet('src') ?? ''
    const [, name, type] = /^\/pictures\/([\w-]+)\.(png|svg)$/.exec(source) ?? []
    if (!name) return image?.(tokens, place, options, env, self) ?? ''
    const text = md.utils.escapeHtml(token?.content ?? '')
    // The expression has no other types.
    const file = (colours: string) => ({
      name: `${name}-${colours}`,
      type: type as keyof typeof sizes,
    })
    return ['light', 'dark'].map((colours) => picture(file(colours), colours, text)).join('')
  }
}

function picture(
  { name, type }: { name: string; type: keyof typeof sizes },
  colours: string,
  text: string,
): string {
  if (!existsSync(`docs/public/pictures/${name}.${type}`)) return ''
  const source = `src="/pictures/${name}.${type}" alt="${text}"`
  const image = `<img class="picture only-${colours}" ${source} ${sizes[type]} loading="lazy">`
  return type === 'svg' ? image : `<picture>${onPhone(name)}${image}</picture>`
}

function onPhone(name: string): string {
  const size = 'width="390" height="960"'
  return `<source media="(max-width: 640px)" srcset="/pictures/${name}-phone.png 2x" ${size}>`
}
