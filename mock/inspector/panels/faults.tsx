import { useState } from 'preact/hooks'
import type { Fault, FaultCondition, FaultEffect } from '../../faults/fault.ts'
import { type EffectName, effectNames, effects, operations } from '../choices.ts'
import { Dotted, Empty, Field, Panel, Reading, Table } from '../parts.tsx'
import { useRead, useTeam } from '../team.ts'
import { numberOf, visible } from '../words.ts'

/** A fault as it is sent. */
interface SentFault {
  id: number
  used: number
  fault: Fault
}

/** What goes wrong, and whom it met. */
export function FaultsPanel() {
  const { ask, act } = useTeam()
  const faults = useRead<SentFault[]>('GET /faults')
  return (
    <Panel title="Faults">
      <FaultForm />
      {!faults && <Reading />}
      {faults?.length === 0 && (
        <Empty title="Nothing goes wrong.">
          Add a fault above, and see what your program makes of it.
        </Empty>
      )}
      {faults && faults.length > 0 && (
        <>
          <Table
            caption="Faults, in the order in which they apply"
            rows={faults}
            keyOf={({ id }) => String(id)}
            columns={[
              { title: 'On', cell: ({ fault }) => <Dotted name={fault.on ?? '*'} /> },
              { title: 'When', isMinor: true, cell: ({ fault }) => conditionOf(fault.when) },
              { title: 'Effect', cell: ({ fault }) => effectOf(fault.then) },
              { title: 'Met', isNumber: true, cell: ({ used }) => numberOf(used) },
              {
                title: 'Remove',
                cell: ({ id, fault }) => (
                  <button
                    type="button"
                    aria-label={`Remove the fault on ${fault.on ?? '*'}: ${effectOf(fault.then)}`}
                    onClick={() => act('Removed the fault.', () => ask(`DELETE /faults/${id}`))}
                  >
                    Remove
                  </button>
                ),
              },
            ]}
          />
          {faults.length > 1 && (
            <button
              type="button"
              onClick={() => act('Removed every fault.', () => ask('DELETE /faults'))}
            >
              Remove all
            </button>
          )}
        </>
      )}
    </Panel>
  )
}

function FaultForm() {
  const { ask, act } = useTeam()
  const [condition, setCondition] = useState('every')
  const [effect, setEffect] = useState<EffectName>('status')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const said = new FormData(event.currentTarget as HTMLFormElement)
    void act('Added the fault.', () => ask('POST /faults', faultOf(said)))
  }
  return (
    <form class="line" onSubmit={submit}>
      <Field label="On">
        <select name="on">
          <option value="*">every operation</option>
          {namespaces.map((namespace) => (
            <optgroup key={namespace} label={namespace}>
              <option value={`${namespace}.*`}>{namespace}.*</option>
              {operations
                .filter((id) => id.startsWith(`${namespace}.`))
                .map((id) => (
                  <option key={id} value={id}>
                    {id}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </Field>
      <Field label="When">
        <select
          name="when"
          value={condition}
          onChange={({ currentTarget }) => setCondition(currentTarget.value)}
        >
          <option value="every">every request</option>
          <option value="first">the first</option>
          <option value="nth">only number</option>
          <option value="probability">by chance</option>
        </select>
      </Field>
      {condition !== 'every' && (
        <Field label={condition === 'probability' ? 'Percent' : 'Number'} class="short">
          <input
            key={condition}
            type="number"
            name="count"
            min={condition === 'probability' ? 0 : 1}
            max={condition === 'probability' ? 100 : undefined}
            required
            defaultValue={condition === 'probability' ? '20' : '1'}
          />
        </Field>
      )}
      <Field label="Effect">
        <select
          name="effect"
          value={effect}
          // Its options are these names.
          onChange={({ currentTarget }) => setEffect(currentTarget.value as EffectName)}
        >
          {effectNames.map((name) => (
            <option key={name} value={name}>
              {effects[name].title}
            </option>
          ))}
        </select>
      </Field>
      {effects[effect].fields.map(({ label, input }) => (
        <Field key={`${effect} ${input.name}`} label={label} class="short">
          <input {...input} />
        </Field>
      ))}
      <button type="submit" class="main">
        Add fault
      </button>
    </form>
  )
}

const namespaces = [...new Set(operations.map((id) => id.split('.')[0] ?? ''))]

/** The fault that a form says; what cannot be, the mock refuses. */
function faultOf(said: FormData): object {
  const count = Number(said.get('count'))
  const conditions: Record<string, object> = {
    first: { when: { first: count } },
    nth: { when: { nth: count } },
    probability: { when: { probability: count / 100 } },
  }
  const effect = effects[said.get('effect') as EffectName]
  return {
    on: said.get('on'),
    ...conditions[String(said.get('when'))],
    then: effect.then((name) => String(said.get(name) ?? '').trim()),
  }
}

function conditionOf(when: FaultCondition | undefined): string {
  if (!when) return 'every request'
  if ('first' in when) return `the first ${when.first}`
  if ('nth' in when) return `only number ${when.nth}`
  return `${numberOf(when.probability * 100)} % of requests`
}

function effectOf(then: FaultEffect): string {
  if (typeof then === 'string') return effects[then].title
  if ('status' in then) {
    const after = then.retryAfter === undefined ? '' : `, again after ${then.retryAfter}`
    return `answers ${then.status}${after}`
  }
  if ('latency' in then) return `takes ${then.latency} longer`
  if ('rateLimit' in then) {
    return `answers 429 beyond ${then.rateLimit.requests} in ${then.rateLimit.per}`
  }
  if ('redirect' in then) return `redirects to ${visible(then.redirect)}`
  return 'drift' in then ? effects[then.drift].title : effects[then.archive].title
}
