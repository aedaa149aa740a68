/** Shows the type of the name at the pointer, or of a name that was tapped. */
export function showTypes(): void {
  const note = document.createElement('div')
  note.className = 'type-note'
  note.role = 'tooltip'
  note.hidden = true
  document.body.append(note)
  document.addEventListener('pointerover', ({ target }) => {
    if (target instanceof Node && note.contains(target)) return
    const name = target instanceof Element ? target.closest<HTMLElement>('.typed') : null
    if (name) show(note, name)
    else note.hidden = true
  })
  const hide = () => {
    note.hidden = true
  }
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide())
  document.addEventListener('scroll', ({ target }) => target !== note && hide(), true)
}

function show(note: HTMLElement, name: HTMLElement): void {
  const [type = '', ...paragraphs] = (name.dataset['type'] ?? '').split('\n\n')
  note.replaceChildren(element('code', type), ...paragraphs.map(paragraph))
  note.hidden = false
  place(note, name.getBoundingClientRect())
}

function element(tag: string, text: string): HTMLElement {
  const created = document.createElement(tag)
  created.textContent = text
  return created
}

/** Returns a paragraph in which text between backticks is code. */
function paragraph(text: string): HTMLElement {
  const created = document.createElement('p')
  const parts = text.split('`').map((part, place) => (place % 2 ? element('code', part) : part))
  created.append(...parts)
  return created
}

/** Places the note below the name, or above it if there is no space. */
function place(note: HTMLElement, { top, bottom, left }: DOMRect): void {
  const { width, height } = note.getBoundingClientRect()
  const isBelow = bottom + height + 8 < innerHeight
  note.style.top = `${isBelow ? bottom + 4 : Math.max(8, top - height - 4)}px`
  note.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
}
