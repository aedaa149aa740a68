/** Lets readers run and edit code blocks. The code for this is loaded on the first click. */
export function enableRuns(): void {
  document.addEventListener('click', ({ target }) => {
    const button = elementOf(target)?.closest<HTMLElement>('.run-bar button')
    const bar = button?.closest<HTMLElement>('.run-bar')
    if (button && bar) act(button.dataset['action'], bar)
  })
  document.addEventListener('keydown', ({ target, key, ctrlKey, metaKey }) => {
    const code = elementOf(target)?.closest('[contenteditable]')
    const bar = code?.closest('div')?.querySelector<HTMLElement>('.run-bar')
    if (bar && key === 'Enter' && (ctrlKey || metaKey)) act('run', bar)
  })
}

function elementOf(target: EventTarget | null): Element | undefined {
  return target instanceof Element ? target : undefined
}

async function act(action: string | undefined, bar: HTMLElement): Promise<void> {
  const { actions } = await import('./actions.ts')
  if (action && Object.hasOwn(actions, action)) await actions[action]?.(bar)
}
