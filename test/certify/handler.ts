import { Receiver } from './receiver.ts'

/** A receiver in a module, as the command reads it with `--handler`. */
const receiver = new Receiver()
const { probe, simulate } = receiver.options()

export { probe, simulate }

export default function receive(request: Request): Promise<Response> {
  return receiver.receive(request)
}
