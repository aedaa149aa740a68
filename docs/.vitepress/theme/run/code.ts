const originals = new WeakMap<HTMLElement, string>()

/** Returns the code of the block that a bar belongs to. */
export function codeOf(bar: HTMLElement): HTMLElement {
  const code = bar.parentElement?.querySelector<HTMLElement>('pre code')
  if (!code) throw new Error('The bar has no code block.')
  return code
}

/** Returns the code as the reader sees it. */
export function textOf(code: HTMLElement): string {
  return code.isContentEditable ? code.innerText : (code.textContent ?? '')
}

export function edit(code: HTMLElement): void {
  originals.set(code, code.innerHTML)
  code.contentEditable = 'plaintext-only'
  code.spellcheck = false
  code.role = 'textbox'
  code.ariaMultiLine = 'true'
  code.ariaLabel = 'Code. Press Control and Enter to run it.'
  code.focus()
}

/** Restores the page's original code. */
export function reset(code: HTMLElement): void {
  code.contentEditable = 'false'
  for (const name of ['contenteditable', 'role', 'aria-multiline', 'aria-label']) {
    code.removeAttribute(name)
  }
  // The HTML is the page's own, from before the reader's changes.
  code.innerHTML = originals.get(code) ?? code.innerHTML
}
