import { existsSync } from 'node:fs'
import type { MarkdownRenderer } from 'vitepress'

/** The picture sizes by file type: `png` for screenshots, `svg` for charts. */
const sizes = { png: 'width="1200" height="640"', svg: 'width="480" height="536"' } as const

/**
 * Shows a picture from `docs/public/pictures` in the page's colours: `![text](/pictures/inspector.png)`. On a phone,
 * shows the phone version of a screenshot. The pictures are created before the site is built; missing ones are omitted.
 */
export function showPictures(md: MarkdownRenderer): void {
  const image = md.renderer.rules.image
  md.renderer.rules.image = (tokens, place, options, env, self) => {
    const token = tokens[place]
    const source = token?.attrGet('src') ?? ''
    const [, name, type] = /^\/pictures\/([\w-]+)\.(png|svg)$/.exec(source) ?? []
    if (!name) return image?.(tokens, place, options, env, self) ?? ''
    const text = md.utils.escapeHtml(token?.content ?? '')
    // The expression matches no other types.
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
