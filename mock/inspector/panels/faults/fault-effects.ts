import type { InputHTMLAttributes } from 'preact'
import type { ArchiveCorruption, DriftEffect, NamedEffect } from '../../../faults/effect-names.ts'
import type { FaultEffect } from '../../../faults/fault.ts'
import { timeSpanPattern } from '../../../shared/time-units.ts'
import { escapeHidden } from '../../format.ts'

interface EffectOption {
  title: string
  fields: readonly EffectField[]
  /** `value` returns a field's value. */
  create: (value: (name: string) => string) => object | string
}

interface EffectField {
  label: string
  input: InputHTMLAttributes<HTMLInputElement> & { name: string }
}

type EffectWithFields = 'status' | 'latency' | 'rateLimit' | 'redirect'

const effectTitles: Record<NamedEffect, string> = {
  lose_response: 'processes the request, but loses the response',
  cut_before_response: 'closes the connection before processing the request',
  refuse_connection: 'refuses the connection',
  cut_mid_body: 'closes the connection in the middle of the body',
  malformed_json: 'returns malformed JSON',
  html: 'returns an HTML page',
}

const driftTitles: Record<DriftEffect, string> = {
  unknown_values: 'returns unknown values',
  extra_fields: 'returns extra fields',
  nulls: 'returns nulls',
  missing_fields: 'omits fields',
}

const archiveTitles: Record<ArchiveCorruption, string> = {
  truncated: 'returns a truncated archive',
  traversal: 'returns an archive with path traversal',
  bomb: 'returns an archive bomb',
  bad_footer: 'returns Parquet with an invalid footer',
}

const timeSpan = { pattern: timeSpanPattern, title: 'For example, 500ms, 3s or 15m' }

const optionsWithFields: Record<EffectWithFields, EffectOption> = {
  status: {
    title: 'returns a status',
    fields: [
      {
        label: 'Status',
        input: {
          name: 'status',
          type: 'number',
          min: 200,
          max: 599,
          required: true,
          defaultValue: '503',
        },
      },
      { label: 'Retry after', input: { name: 'retryAfter', placeholder: 'none', ...timeSpan } },
    ],
    create: (value) => ({
      status: Number(value('status')),
      ...(value('retryAfter') ? { retryAfter: value('retryAfter') } : {}),
    }),
  },
  latency: {
    title: 'adds latency',
    fields: [
      {
        label: 'Latency',
        input: { name: 'latency', required: true, defaultValue: '3s', ...timeSpan },
      },
    ],
    create: (value) => ({ latency: value('latency') }),
  },
  rateLimit: {
    title: 'returns 429 above a rate limit',
    fields: [
      {
        label: 'Requests',
        input: { name: 'requests', type: 'number', min: 0, required: true, defaultValue: '10' },
      },
      { label: 'Per', input: { name: 'per', required: true, defaultValue: '1m', ...timeSpan } },
    ],
    create: (value) => ({
      rateLimit: { requests: Number(value('requests')), per: value('per') },
    }),
  },
  redirect: {
    title: 'redirects',
    fields: [
      {
        label: 'To',
        input: {
          name: 'redirect',
          type: 'url',
          required: true,
          defaultValue: 'https://elsewhere.test/',
        },
      },
    ],
    create: (value) => ({ redirect: value('redirect') }),
  },
}

export const effectOptions: Readonly<Record<string, EffectOption>> = {
  ...optionsWithFields,
  ...simpleOptions(effectTitles, (name) => name),
  ...simpleOptions(driftTitles, (drift) => ({ drift })),
  ...simpleOptions(archiveTitles, (archive) => ({ archive })),
}

function simpleOptions(
  titles: Record<string, string>,
  create: (name: string) => object | string,
): Record<string, EffectOption> {
  const entries = Object.entries(titles)
  return Object.fromEntries(
    entries.map(([name, title]) => [name, { title, fields: [], create: () => create(name) }]),
  )
}

/** Numbers are milliseconds. */
function span(time: string | number): string {
  return typeof time === 'number' ? `${time} ms` : time
}

export function describeEffect(effect: FaultEffect): string {
  if (typeof effect === 'string') return effectTitles[effect]
  if ('status' in effect) {
    const after = effect.retryAfter === undefined ? '' : `, retry after ${span(effect.retryAfter)}`
    return `returns ${effect.status}${after}`
  }
  if ('latency' in effect) return `adds ${span(effect.latency)} of latency`
  if ('rateLimit' in effect) {
    return `returns 429 above ${effect.rateLimit.requests} per ${span(effect.rateLimit.per)}`
  }
  if ('redirect' in effect) return `redirects to ${escapeHidden(effect.redirect)}`
  return 'drift' in effect ? driftTitles[effect.drift] : archiveTitles[effect.archive]
}
