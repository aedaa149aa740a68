import { MockError } from '../../errors.ts'
import { exportsOf } from '../../shared/exports-of.ts'
import { resolveOptions } from '../options.ts'
import { Tester } from '../tester.ts'
import { type LoadedOptions, packError, packFinding, type TesterRequest } from './messages.ts'

/** The interval between `alive` messages, in milliseconds. */
const aliveEvery = 200

/** Loads a program's module. Returns the handler for requests to run plans. */
export async function serveTester(
  load: LoadedOptions,
  post: (message: unknown) => void,
): Promise<(request: TesterRequest) => void> {
  const reply = async (result: () => Promise<unknown>) => {
    try {
      post({ type: 'result', result: await result() })
    } catch (error) {
      post({ type: 'error', error: packError(error) })
    }
  }
  let tester: Tester<object> | undefined
  await reply(async () => {
    const settings = await loadSettings(load)
    tester = new Tester(settings, (plan) => post({ type: 'run', plan }))
    const { seed, budget, all } = settings
    return { seed, budget, all }
  })
  setInterval(() => post({ type: 'alive' }), aliveEvery)
  return (request) => {
    const { type } = request
    void reply(async () => {
      if (!tester) return undefined
      return packFinding(
        type === 'clean' ? await tester.runClean() : await tester.test(request.ranked),
      )
    })
  }
}

async function loadSettings({ module, isolate, given }: LoadedOptions) {
  const { default: program } = exportsOf(await import(module))
  if (typeof program?.scenario !== 'function') {
    throw new MockError(
      'invalid_option',
      `Expected the default export of ${module} to be the options for explore.`,
    )
  }
  const settings = resolveOptions<object>({ ...program, ...given, print: () => {} })
  return isolate ? { ...settings, isolated: { module, kind: isolate } } : settings
}
