import { withBase } from 'vitepress'
import type { Report } from '../../run/messages.ts'

export interface Sandbox {
  /** Ends the program, even in an endless loop. */
  stop(): void
}

/** Prevents the program from connecting to anything. */
const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval'",
  'worker-src data:',
].join('; ')

/**
 * Starts a worker, which cannot reach the page, and relays messages in both directions. A worker from a blob would have
 * no `crypto.subtle`.
 */
const relay = `
const run = 'onmessage = ({ data }) => { onmessage = null; (0, eval)(data) }'
addEventListener('message', ({ data: { script, parts } }) => {
  const worker = new Worker('data:text/javascript,' + encodeURIComponent(run))
  worker.onmessage = ({ data }) => parent.postMessage(data, '*')
  worker.postMessage(script)
  worker.postMessage(parts)
}, { once: true })`

let script: Promise<string> | undefined

/** Runs a program's blocks in a worker inside a frame with its own origin. Removing the code block ends the program. */
export async function startSandbox(
  bar: HTMLElement,
  parts: readonly string[],
  onReport: (report: Report) => void,
): Promise<Sandbox> {
  script ??= loadScript()
  const loaded = await script.catch((error: unknown) => {
    script = undefined
    throw error
  })
  const frame = document.createElement('iframe')
  const receive = ({ source, data }: MessageEvent) => {
    if (source === frame.contentWindow) onReport(data)
  }
  addEventListener('message', receive)
  // The frame's origin is opaque, so no target origin can be given.
  frame.onload = () => frame.contentWindow?.postMessage({ script: loaded, parts }, '*')
  frame.sandbox.add('allow-scripts')
  frame.hidden = true
  frame.title = 'Sandbox'
  frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${policy}"><script>${relay}</script>`
  bar.parentElement?.append(frame)
  return {
    stop() {
      removeEventListener('message', receive)
      frame.remove()
    },
  }
}

async function loadScript(): Promise<string> {
  const response = await fetch(withBase('/sandbox.js'))
  if (!response.ok) throw new Error(`The sandbox could not be loaded: status ${response.status}.`)
  return response.text()
}
