import type { InputHTMLAttributes } from 'preact'
import { otherEventTypes } from '../../src/contract/values/event-types.ts'
import { supportedResources } from '../../src/contract/values/resources.ts'
import type { OperationId } from '../base/operations.ts'
import type { ArchiveCorruption, Drift } from '../faults/effect-names.ts'
import type { FaultEffect } from '../faults/fault.ts'

/** What the forms offer. */

/** The endpoints would bring their schemas along; the compiler sees to it that none is missing. */
const known: Record<OperationId, true> = {
  'insurance.create': true,
  'users.updateInfo': true,
  'users.createSignInToken': true,
  'link.bulkImport': true,
  'link.listBulkOps': true,
  'link.listProviders': true,
  'link.deleteConnection': true,
  'labTests.listMarkers': true,
  'labTests.listTestMarkers': true,
  'labTests.listOrderSetMarkers': true,
  'labTests.list': true,
  'labTests.listAll': true,
  'orders.create': true,
  'orders.bookPhlebotomyAppointment': true,
  'orders.getPhlebotomyAppointment': true,
  'orders.downloadRequisition': true,
  'aggregate.query': true,
  'aggregate.queryParquet': true,
  'summaries.list': true,
}

/** Every operation's id. */
export const operations = Object.keys(known)

/** Types of events that are known; any other text is a type as well. */
export const eventTypes = [
  'provider.connection.created',
  ...otherEventTypes,
  ...supportedResources.flatMap((resource) => [
    `daily.data.${resource}.created`,
    `daily.data.${resource}.updated`,
    `historical.data.${resource}.created`,
  ]),
]

interface EffectField {
  label: string
  input: InputHTMLAttributes<HTMLInputElement> & { name: string }
}

interface EffectPlan {
  title: string
  /** What else the effect needs to be told. */
  fields: readonly EffectField[]
  then: (field: (name: string) => string) => FaultEffect | object
}

/** The effects that are one word. */
export type EffectName =
  | Extract<FaultEffect, string>
  | Drift
  | ArchiveCorruption
  | 'status'
  | 'latency'
  | 'rateLimit'
  | 'redirect'

const span = { pattern: '\\d+(\\.\\d+)?(ms|s|m|h|d)', title: 'Such as 500ms, 3s or 15m' }

const named = (then: Extract<FaultEffect, string>, title: string): EffectPlan => ({
  title,
  fields: [],
  then: () => then,
})
const drifting = (drift: Drift, title: string): EffectPlan => ({
  title,
  fields: [],
  then: () => ({ drift }),
})
const corrupting = (archive: ArchiveCorruption, title: string): EffectPlan => ({
  title,
  fields: [],
  then: () => ({ archive }),
})

/** What can happen to a request. */
export const effects: Record<EffectName, EffectPlan> = {
  status: {
    title: 'answers a status',
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
      { label: 'Retry after', input: { name: 'retryAfter', placeholder: 'not said', ...span } },
    ],
    then: (field) => ({
      status: Number(field('status')),
      ...(field('retryAfter') ? { retryAfter: field('retryAfter') } : {}),
    }),
  },
  latency: {
    title: 'takes longer',
    fields: [
      { label: 'By', input: { name: 'latency', required: true, defaultValue: '3s', ...span } },
    ],
    then: (field) => ({ latency: field('latency') }),
  },
  rateLimit: {
    title: 'answers 429 beyond a rate',
    fields: [
      {
        label: 'Requests',
        input: { name: 'requests', type: 'number', min: 0, required: true, defaultValue: '10' },
      },
      { label: 'In', input: { name: 'per', required: true, defaultValue: '1m', ...span } },
    ],
    then: (field) => ({ rateLimit: { requests: Number(field('requests')), per: field('per') } }),
  },
  lose_answer: named('lose_answer', 'does it, and loses the answer'),
  cut_before_answer: named('cut_before_answer', 'closes the connection, and does nothing'),
  refuse_connection: named('refuse_connection', 'refuses the connection'),
  cut_mid_body: named('cut_mid_body', 'cuts the body half-way'),
  malformed_json: named('malformed_json', 'answers no JSON'),
  html: named('html', 'answers a page of HTML'),
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
    then: (field) => ({ redirect: field('redirect') }),
  },
  unknown_values: drifting('unknown_values', 'answers unknown values'),
  extra_fields: drifting('extra_fields', 'answers further fields'),
  nulls: drifting('nulls', 'answers nulls'),
  missing_fields: drifting('missing_fields', 'leaves fields out'),
  truncated: corrupting('truncated', 'answers a truncated archive'),
  traversal: corrupting('traversal', 'answers an archive with a path to elsewhere'),
  bomb: corrupting('bomb', 'answers an archive that expands without end'),
  bad_footer: corrupting('bad_footer', 'answers Parquet with a bad footer'),
}

/** Their names, in the order in which they are offered. */
export const effectNames = Object.keys(effects) as EffectName[]
