/**
 * Shows the type of the name at the pointer, or of a tapped name. In a focused code block, the arrow keys move from
 * name to name.
 */
export function showTypes(): void {
  const note = document.createElement('div')
  note.className = 'type-note'
  note.role = 'tooltip'
  note.ariaLive = 'polite'
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
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide()
    const name = nameAfter(event)
    if (!name) return
    event.preventDefault()
    name.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    show(note, name)
  })
  document.addEventListener('focusout', hide)
  // Scrolling to a name with the keys does not hide its note.
  for (const kind of ['wheel', 'touchmove']) {
    document.addEventListener(kind, ({ target }) => !isIn(note, target) && hide(), {
      passive: true,
    })
  }
}

function isIn(note: HTMLElement, target: EventTarget | null): boolean {
  return target instanceof Node && note.contains(target)
}

/** The block in which the arrow keys move, and the index of the current name. */
let current: { block: Element; place: number } | undefined

/** Returns the name that an arrow key leads to, in a block of code that is not being edited. */
function nameAfter({ key, target }: KeyboardEvent): HTMLElement | undefined {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  const block = target instanceof HTMLElement && !target.isContentEditable ? target : undefined
  const names = block?.matches('pre') ? [...block.querySelectorAll<HTMLElement>('.typed')] : []
  if (!step || !block || names.length === 0) return undefined
  const before = current?.block === block ? current.place : -1
  const place = (before + step + names.length) % names.length
  current = { block, place }
  return names[place]
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

/** Places the note below the name, or above it if there is no space below. */
function place(note: HTMLElement, { top, bottom, left }: DOMRect): void {
  const { width, height } = note.getBoundingClientRect()
  const isBelow = bottom + height + 8 < innerHeight
  note.style.top = `${isBelow ? bottom + 4 : Math.max(8, top - height - 4)}px`
  note.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
}
