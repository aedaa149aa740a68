import { adopt } from '../shared/adopt.ts'

/** Calls an observer. Ignores its result and its errors, including rejections. */
export function observe(notify: () => unknown): void {
  try {
    adopt(notify()).catch(() => {})
  } catch {
    // A failing observer must not change the call's result.
  }
}
