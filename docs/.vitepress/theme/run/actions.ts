import { codeOf, edit, reset, textOf } from './code.ts'
import { clearOutput, showReport } from './output.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

/** What the buttons below a block do. */
export const actions: Readonly<Record<string, (bar: HTMLElement) => void | Promise<void>>> = {
  run,
  stop,
  edit(bar) {
    edit(codeOf(bar))
    label(bar, 'edit', 'reset', 'Reset')
  },
  reset(bar) {
    reset(codeOf(bar))
    label(bar, 'reset', 'edit', 'Edit')
  },
}

/** Only one program runs at a time. */
let current: { bar: HTMLElement; sandbox?: Sandbox } | undefined

/** Runs a block after the blocks that it continues, and shows the output. */
async function run(bar: HTMLElement): Promise<void> {
  if (current) stop(current.bar)
  const started: typeof current = { bar }
  current = started
  label(bar, 'run', 'stop', 'Stop')
  const output = clearOutput(bar)
  const parts = blocksUpTo(bar).map(textOf)
  const place = parts.length - 1
  const end = () => label(bar, 'stop', 'run', 'Run')
  try {
    const sandbox = await startSandbox(bar, parts, (report) => {
      showReport(output, report, place)
      if (report.kind === 'done') end()
    })
    if (current === started) started.sandbox = sandbox
    else sandbox.stop()
  } catch {
    const text = 'The sandbox could not be loaded. Check your connection, and run the block again.'
    showReport(output, { kind: 'error', part: place, text }, place)
    end()
  }
}

function stop(bar: HTMLElement): void {
  if (current?.bar !== bar) return
  current.sandbox?.stop()
  current = undefined
  label(bar, 'stop', 'run', 'Run')
}

/** Returns the code of the program's blocks, up to the block of the bar. */
function blocksUpTo(bar: HTMLElement): HTMLElement[] {
  const { program = '', place } = bar.dataset
  const bars = document.querySelectorAll<HTMLElement>(`.run-bar[data-program="${program}"]`)
  return [...bars].filter((other) => Number(other.dataset['place']) <= Number(place)).map(codeOf)
}

function label(bar: HTMLElement, from: string, to: string, text: string): void {
  const button = bar.querySelector<HTMLElement>(`[data-action="${from}"]`)
  if (!button) return
  button.dataset['action'] = to
  button.textContent = text
}
