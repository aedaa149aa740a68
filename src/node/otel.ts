import { missingPeer } from '../peers.ts'

/** `health-lab-sdk/otel` for Node. A dynamic import can report which package is missing. */
export const { instrument } = await import('../otel.ts').catch((cause: unknown) => {
  const message = missingPeer(cause, 'health-lab-sdk/otel')
  throw message ? Object.assign(new Error(message, { cause }), { code: 'missing_package' }) : cause
})
