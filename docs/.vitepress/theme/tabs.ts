const stored = 'tabs'

/** Lets readers choose a tab. The choice applies to all pages. A link to a heading opens the tab that contains it. */
export function enableTabs(): void {
  // Capture the click, so that the tab opens before VitePress scrolls to the heading.
  document.addEventListener('click', openTarget, true)
  addEventListener('hashchange', showHash)
  document.addEventListener('keydown', moveFocus)
}

/** Shows the chosen tabs on a newly opened page. */
export function showTabs(): void {
  const chosen = readChoices()
  for (const tabs of document.querySelectorAll('.tabs')) {
    const buttons = buttonsOf(tabs)
    const place = buttons.findIndex(({ textContent }) => chosen.includes(textContent ?? ''))
    select(tabs, Math.max(0, place))
  }
  showHash()
}

function openTarget({ target }: Event): void {
  const element = target instanceof Element ? target : undefined
  const tab = element?.closest('[role="tab"]')
  if (tab) choose(tab)
  const hash = element?.closest('a')?.hash
  if (hash) showTabOf(hash)
}

function choose(tab: Element): void {
  const tabs = tab.closest('.tabs')
  if (!tabs) return
  select(tabs, buttonsOf(tabs).indexOf(tab))
  const names = buttonsOf(tabs).map(({ textContent }) => textContent)
  const others = readChoices().filter((name) => !names.includes(name))
  localStorage.setItem(stored, JSON.stringify([...others, tab.textContent]))
}

function select(tabs: Element, selected: number): void {
  for (const [place, button] of buttonsOf(tabs).entries()) {
    button.setAttribute('aria-selected', String(place === selected))
    button.setAttribute('tabindex', place === selected ? '0' : '-1')
  }
  for (const [place, panel] of panelsOf(tabs).entries()) {
    panel.toggleAttribute('hidden', place !== selected)
    panel.setAttribute('aria-label', buttonsOf(tabs)[place]?.textContent ?? '')
  }
}

function showHash(): void {
  if (showTabOf(location.hash)) document.getElementById(location.hash.slice(1))?.scrollIntoView()
}

/** Opens the tab that contains a heading. Returns whether the tab was hidden. */
function showTabOf(hash: string): boolean {
  const panel = document.getElementById(decodeURIComponent(hash.slice(1)))?.closest('.tab-panel')
  const tabs = panel?.closest('.tabs')
  if (!panel?.hasAttribute('hidden') || !tabs) return false
  select(tabs, panelsOf(tabs).indexOf(panel))
  return true
}

function moveFocus({ key, target }: KeyboardEvent): void {
  const tab = target instanceof HTMLElement ? target.closest('[role="tab"]') : null
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (!tab || !step) return
  const buttons = buttonsOf(tab.closest('.tabs'))
  const next = buttons.at((buttons.indexOf(tab) + step) % buttons.length)
  if (!(next instanceof HTMLElement)) return
  choose(next)
  next.focus()
}

function buttonsOf(tabs: Element | null): Element[] {
  return [...(tabs?.querySelectorAll(':scope > .tab-list > button') ?? [])]
}

function panelsOf(tabs: Element): Element[] {
  return [...tabs.querySelectorAll(':scope > .tab-panel')]
}

function readChoices(): string[] {
  return JSON.parse(localStorage.getItem(stored) ?? '[]')
}
