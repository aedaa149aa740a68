import type { ClientOptions } from '../../../src/index.ts'
import type { WriteStore } from '../../../src/stores/index.ts'

/** The boundaries of a process: before and after each request and each statement of its store. */
export class Boundaries {
  #passed = 0
  readonly #last: number
  #die = () => {}
  /** Resolves when the process dies. */
  readonly death = new Promise<void>((resolve) => {
    this.#die = resolve
  })

  /** @param last The boundary at which the process dies; 0 if it does not. */
  constructor(last: number) {
    this.#last = last
  }

  /** Passes a boundary, unless the process is dead. */
  async pass(): Promise<void> {
    this.#passed += 1
    const isDead = this.#last > 0 && this.#passed >= this.#last
    if (this.#passed === this.#last) this.#die()
    // Code of a dead process never continues.
    if (isDead) await new Promise(() => {})
  }

  /** Passes the boundaries around an action. */
  async around<T>(act: () => Promise<T>): Promise<T> {
    await this.pass()
    const result = await act()
    await this.pass()
    return result
  }
}

/** Returns the options of a client whose process dies at a boundary. Its timers end with it. */
export function dyingConnection(connection: ClientOptions, boundaries: Boundaries): ClientOptions {
  const { fetch: send, clock } = connection
  if (!send || !clock) throw new TypeError('Expected the connection of a mock.')
  return {
    ...connection,
    fetch: (request) => boundaries.around(() => send(request)),
    clock: { ...clock, now: clock.now, sleep: clock.sleep, startTimer: () => () => {} },
  }
}

/** Returns a store of a process that dies at a boundary. */
export function dyingStore(store: WriteStore, boundaries: Boundaries): WriteStore {
  return {
    begin: (intent) => boundaries.around(() => store.begin(intent)),
    save: (id, held) => boundaries.around(() => store.save(id, held)),
    end: (end) => boundaries.around(() => store.end(end)),
    read: (id) => boundaries.around(() => store.read(id)),
    open: (limit) => boundaries.around(() => store.open(limit)),
  }
}
