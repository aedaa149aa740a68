import type { ParsedRequest } from '../http/request/parse-request.ts'
import type { Mock } from '../mock.ts'
import type { Team } from '../team.ts'
import type { ControlOutput, Part, Plain, ValueOf } from './api.ts'
import type { ControlId, ParamName } from './routes.ts'

/** A value before it is converted to JSON. It may contain a `Date` in place of a string, and undefined fields. */
export type Unsent<T> = T extends string
  ? T | Date
  : T extends Plain
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Unsent<Item>[]
      : T extends object
        ? string extends keyof T
          ? object
          : { readonly [Name in keyof T]: Unsent<T[Name]> | OptionalOf<T, Name> }
        : T

type OptionalOf<T, Name extends keyof T> = Partial<T> extends Pick<T, Name> ? undefined : never

export interface CheckedRequest<Id extends ControlId> {
  params: Record<ParamName<Id>, string>
  query: ValueOf<Part<Id, 'query'>>
  body: ValueOf<Part<Id, 'body'>>
}

type Run<Id extends ControlId, Result> = (
  team: Team,
  request: CheckedRequest<Id>,
  mock: Mock,
) => Result

export type Handler<Id extends ControlId> =
  ControlOutput<Id> extends undefined
    ? Run<Id, void>
    : Run<Id, Unsent<ControlOutput<Id>> | Promise<Unsent<ControlOutput<Id>>>>

export type AnyHandler = (team: Team, request: ParsedRequest, mock: Mock) => unknown

export type Handlers<Operations> = { [Id in keyof Operations & ControlId]: Handler<Id> }
