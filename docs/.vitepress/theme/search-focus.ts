/** Returns the focus to where it was when the search box closes. VitePress leaves it on the page as a whole. */
export function returnFocus(): void {
  let last: HTMLElement | undefined
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.closest(searchBox)) last = target
  })
  new MutationObserver((changes) => {
    const isClosed = changes.some(({ removedNodes }) => [...removedNodes].some(isSearchBox))
    // A result that was chosen opens a page.
    if (isClosed && document.activeElement === document.body && last?.isConnected) last.focus()
  }).observe(document.body, { childList: true })
}

const searchBox = '.VPLocalSearchBox'

function isSearchBox(node: Node): boolean {
  return node instanceof Element && node.matches(searchBox)
}
