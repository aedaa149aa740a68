import { MockError } from '../../errors.ts'
import { faultNames } from './fault-names.ts'
import { faultPointKinds, type Plan, type PlannedFault, type PointKind } from './plan.ts'

/** The version of the replay line format. Change it if the meaning of existing lines changes. */
const version = 'v1'

export interface Replay {
  seed: string
  plan: Plan
}

const faultForm = /^(\w+):([^#=\s]+)#([1-9]\d*)=(\w+)$/

/** Returns a line such as `v1 1 request:orders.create#1=lose_response`. */
export function formatReplay({ seed, plan }: Replay): string {
  const faults = plan.map(
    ({ kind, name, nth, fault }) => `${kind}:${encodeURIComponent(name)}#${nth}=${fault}`,
  )
  return [version, encodeURIComponent(seed), ...faults].join(' ')
}

export function parseReplay(line: string): Replay {
  const [given, seed, ...faults] = String(line).trim().split(/\s+/)
  if (given !== version || seed === undefined) {
    throw new MockError(
      'invalid_option',
      `Expected a replay line that starts with '${version}' and a seed. Copy the string between the quotes in the failure message.`,
    )
  }
  return { seed: decode(seed), plan: faults.map(parseFault) }
}

function parseFault(text: string): PlannedFault {
  const [, kind, name = '', nth, fault = ''] = faultForm.exec(text) ?? []
  if (!isPointKind(kind) || !faultNames(kind).includes(fault)) {
    throw new MockError(
      'invalid_option',
      `Expected a fault such as 'request:orders.create#1=lose_response' in the replay line, but got '${text}'. The line may come from a different version of this package.`,
    )
  }
  return { kind, name: decode(name), nth: Number(nth), fault }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new MockError(
      'invalid_option',
      `The replay line is damaged at '${text}'. Copy the string between the quotes in the failure message.`,
    )
  }
}

function isPointKind(value: string | undefined): value is PointKind {
  return faultPointKinds.some((kind) => kind === value)
}
