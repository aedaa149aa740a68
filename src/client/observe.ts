import { adopt } from '../shared/adopt.ts'

/** Calls an observer and ignores its result, its errors and its rejections. */
export function observe(notify: () => unknown): void {
  try {
    adopt(notify()).catch(() => {})
  } catch {
    // A failing observer must not change the call's result.
  }
}
