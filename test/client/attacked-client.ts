export const service = { apiKey: 'key', baseUrl: 'https://service.test' }

export const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'week' } } as const

export function hidden(): PropertyDescriptor {
  const get = () => {
    throw new TypeError('of a getter')
  }
  return { get, enumerable: true }
}
