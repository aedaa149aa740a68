/** Lets readers show the whole output of a terminal block. Until then, the page shows only its start. */
export function enableShowAll(): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches('.show-all')) return
    const output = target.previousElementSibling
    output?.classList.add('whole')
    // The button disappears, so the output receives the focus.
    if (output instanceof HTMLElement) output.focus({ preventScroll: true })
    target.hidden = true
  })
}
