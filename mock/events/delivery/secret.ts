import type { Random } from '../../base/random.ts'

/** Generates a secret of 32 bytes. It is not secret, because anyone with the seed can compute it. */
export function newSecret(random: Random): string {
  const bytes = Array.from({ length: 32 }, () => random.integer(0, 255))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

/** Whether a string has the form of a secret. */
export function isSecret(text: string): boolean {
  return /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
}
