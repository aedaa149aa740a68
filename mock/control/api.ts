import type * as z from 'zod/mini'
import type { ControlOperations } from './operations.ts'
import type { ControlId, ParamName, RequestAddress } from './routes.ts'

/** The values of JSON that are neither lists nor objects. */
export type Plain = string | number | boolean | null | undefined

/** A value that JSON carried: a date is a string, and a field is absent instead of undefined. */
export type Json<T> = T extends Plain
  ? T
  : T extends Date
    ? string
    : T extends object
      ? { [Name in keyof T]: Json<Exclude<T[Name], undefined>> }
      : T

/** A value that callers pass: its lists may be read-only. */
export type Passed<T> = T extends Plain
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Passed<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Passed<T[Name]> }
      : T

/** A schema of an operation; undefined if it has none. */
export type Part<Id extends ControlId, Name extends 'query' | 'body' | 'output'> =
  ControlOperations[Id] extends Record<Name, infer Schema> ? Schema : undefined

/** A checked value of a schema, as JSON. */
export type ValueOf<Schema> = Schema extends z.ZodMiniType<infer Out> ? Json<Out> : undefined

type InputOf<Schema> = Schema extends z.ZodMiniType<unknown, infer In> ? Passed<In> : never

/** What an operation returns, as JSON; undefined for a response without a body. */
export type ControlOutput<Id extends ControlId> = ValueOf<Part<Id, 'output'>>

type Named<Name extends string, T> = [T] extends [never]
  ? unknown
  : Partial<T> extends T
    ? { [Part in Name]?: T }
    : { [Part in Name]: T }

/** The values of a request: of the path, the query and the body. */
export type ControlInput<Id extends ControlId> = Named<
  'params',
  [ParamName<Id>] extends [never] ? never : Record<ParamName<Id>, string | number>
> &
  Named<'query', InputOf<Part<Id, 'query'>>> &
  Named<'body', InputOf<Part<Id, 'body'>>>

/** The arguments of an operation; those of one without required values may be omitted. */
export type ControlArguments<Id extends ControlId> =
  Partial<ControlInput<Id>> extends ControlInput<Id>
    ? [input?: ControlInput<Id>]
    : [input: ControlInput<Id>]

/** Calls an operation of the control API, such as `send('clock.advance', { body: { by: '15m' } })`. */
export type Send = <Id extends ControlId>(
  id: Id,
  ...input: ControlArguments<Id>
) => Promise<ControlOutput<Id>>

/** The values of a request without the types of its operation. */
export interface AnyInput extends RequestAddress {
  body?: unknown
}
