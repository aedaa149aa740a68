import type * as z from 'zod/mini'
import type { ControlOperations } from './operations.ts'
import type { ControlId, ParamName, RequestAddress } from './routes.ts'

/** A JSON scalar, or undefined. */
export type Plain = string | number | boolean | null | undefined

/** A value after conversion to JSON: dates are strings, and undefined fields are absent. */
export type Json<T> = T extends Plain
  ? T
  : T extends Date
    ? string
    : T extends object
      ? { [Name in keyof T]: Json<Exclude<T[Name], undefined>> }
      : T

/** A caller's value, in which lists and objects may be read-only. */
export type Passed<T> = T extends Plain
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Passed<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Passed<T[Name]> }
      : T

/** The schema of an operation's query, body or output, or undefined if the operation has none. */
export type Part<Id extends ControlId, Name extends 'query' | 'body' | 'output'> =
  ControlOperations[Id] extends Record<Name, infer Schema> ? Schema : undefined

/** A value that matches a schema, as JSON. */
export type ValueOf<Schema> = Schema extends z.ZodMiniType<infer Out> ? Json<Out> : undefined

type InputOf<Schema> = Schema extends z.ZodMiniType<unknown, infer In> ? Passed<In> : never

/** An operation's result, as JSON, or undefined for a response without a body. */
export type ControlOutput<Id extends ControlId> = ValueOf<Part<Id, 'output'>>

type Named<Name extends string, T> = [T] extends [never]
  ? unknown
  : Partial<T> extends T
    ? { [Part in Name]?: T }
    : { [Part in Name]: T }

export type ControlInput<Id extends ControlId> = Named<
  'params',
  [ParamName<Id>] extends [never] ? never : Record<ParamName<Id>, string | number>
> &
  Named<'query', InputOf<Part<Id, 'query'>>> &
  Named<'body', InputOf<Part<Id, 'body'>>>

/** The arguments of a call. The input may be omitted if no value is required. */
export type ControlArguments<Id extends ControlId> =
  Partial<ControlInput<Id>> extends ControlInput<Id>
    ? [input?: ControlInput<Id>]
    : [input: ControlInput<Id>]

/** Calls a control API operation, such as `send('clock.advance', { body: { by: '15m' } })`. */
export type Send = <Id extends ControlId>(
  id: Id,
  ...input: ControlArguments<Id>
) => Promise<ControlOutput<Id>>

/** The untyped input of any operation. */
export interface AnyInput extends RequestAddress {
  body?: unknown
}
