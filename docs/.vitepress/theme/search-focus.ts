/** Restores the focus when the search box closes. VitePress leaves the focus on the document body. */
export function returnFocus(): void {
  let last: HTMLElement | undefined
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.closest(searchBox)) last = target
  })
  new MutationObserver((changes) => {
    const isClosed = changes.some(({ removedNodes }) => [...removedNodes].some(isSearchBox))
    // Choosing a result opens a page instead.
    if (isClosed && document.activeElement === document.body && last?.isConnected) last.focus()
  }).observe(document.body, { childList: true })
}

const searchBox = '.VPLocalSearchBox'

function isSearchBox(node: Node): boolean {
  return node instanceof Element && node.matches(searchBox)
}
