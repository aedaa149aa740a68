import type { Page } from '@playwright/test'

/** The widths at which a page is measured, from a phone to a desktop. */
const widths = [390, 768, 950, 1024, 1440]

/** The minimum text size in diagrams and charts, in pixels on the screen. */
const smallestText = 10

/**
 * Returns the layout problems of an open page: a page, table or diagram that is too wide, code that is too wide for a
 * desktop, broken words in tables, covered text on the landing page, small text in diagrams and charts, and first code that is below the first
 * screen of a desktop.
 */
export async function layoutFindings(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  const findings: string[] = []
  const first = page
    .locator(':is(.vp-doc [class*="language-"], .vp-doc .terminal, .hero-terminal)')
    .first()
  await page.setViewportSize({ width: 1440, height: 900 })
  const top = (await first.boundingBox({ timeout: 100 }).catch(() => null))?.y ?? 0
  if (top > 860)
    findings.push(`${new URL(page.url()).pathname}: first code at ${Math.round(top)} px`)
  // Include the content of other tabs.
  await page.evaluate(() => {
    for (const panel of document.querySelectorAll('.tab-panel')) panel.removeAttribute('hidden')
  })
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const found = [
      ...(await page.evaluate(misfits)),
      ...(await page.evaluate(brokenWords)),
      ...(await page.evaluate(heroProblems)),
      ...(await page.evaluate(smallTexts, smallestText)),
    ]
    findings.push(
      ...found.map((finding) => `${new URL(page.url()).pathname} at ${width} px: ${finding}`),
    )
  }
  if (size) await page.setViewportSize(size)
  return findings
}

/** Runs in the page. */
function misfits(): string[] {
  const isWide = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1
  const findings = isWide(document.documentElement) ? ['wider than the window'] : []
  const code = innerWidth < 1440 ? '' : ', [class*="language-"] pre'
  const selector = `.vp-doc :is(table, .diagram${code})`
  for (const element of document.querySelectorAll(selector)) {
    if (isWide(element)) findings.push(`cut: ${element.textContent?.trim().slice(0, 60)}`)
  }
  return findings
}

/** Returns the words in table cells that a line break cuts. On a phone, cells are lists. Runs in the page. */
function brokenWords(): string[] {
  if (innerWidth <= 640) return []
  return [...document.querySelectorAll('.vp-doc td')].flatMap((cell) => {
    const broken: string[] = []
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\w+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top))
        if (new Set(tops).size > 1) broken.push(`broken in a table: ${word}`)
      }
    }
    return broken
  })
}

/** Checks whether the landing page's terminal covers text or breaks its lines. Runs in the page. */
function heroProblems(): string[] {
  const terminal = document.querySelector('.hero-terminal')
  if (!terminal) return []
  const box = terminal.getBoundingClientRect()
  const texts = document.querySelectorAll('.VPHero :is(.heading, .tagline, .actions), .VPNavBar')
  const covered = [...texts].filter((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect()
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top
  })
  const isBroken = [...terminal.querySelectorAll('span')].some(
    // The line break at the end has a box without a width.
    (line) => [...line.getClientRects()].filter(({ width }) => width > 0).length > 1,
  )
  return [
    ...covered.map(({ className }) => `the terminal covers ${className}`),
    ...(isBroken ? ['the terminal breaks its lines'] : []),
  ]
}

/** Runs in the page. */
async function smallTexts(smallest: number): Promise<string[]> {
  const texts: { text: string; size: number }[] = []
  for (const element of document.querySelectorAll<SVGTextElement>('.diagram text')) {
    const size = Number.parseFloat(getComputedStyle(element).fontSize)
    texts.push({
      text: element.textContent ?? '',
      size: size * (element.getScreenCTM()?.a ?? 1),
    })
  }
  // All text in a chart has the same size.
  for (const image of document.querySelectorAll<HTMLImageElement>('.picture[src$=".svg"]')) {
    const file = await (await fetch(image.src)).text()
    const chart = new DOMParser().parseFromString(file, 'image/svg+xml').querySelector('svg')
    const scale = image.clientWidth / (chart?.viewBox.baseVal.width ?? 0)
    texts.push({ text: image.alt, size: Number(chart?.getAttribute('font-size')) * scale })
  }
  return texts
    .filter(({ size }) => size > 0 && size < smallest)
    .map(({ text, size }) => `text of ${size.toFixed(1)} px: ${text.slice(0, 60)}`)
}
