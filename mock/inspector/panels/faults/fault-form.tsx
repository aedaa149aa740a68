import { useState } from 'preact/hooks'
import { operationIds } from '../../../../src/contract/operations.ts'
import type { Fault } from '../../../faults/fault.ts'
import { Field, Form, Options } from '../../components/form.tsx'
import { useTeam } from '../../team-context.ts'
import { effectOptions } from './fault-effects.ts'

const operationNamespaces = [...new Set(operationIds.map((id) => id.split('.')[0] ?? ''))]

interface ConditionOption {
  title: string
  /** The input for the condition's number, if the condition has a number. */
  field?: { label: string; min: number; max?: number; defaultValue: string }
  /** `count` is the number entered in `field`. */
  create: (count: number) => object
}

const conditionOptions: Readonly<Record<string, ConditionOption>> = {
  every: { title: 'every request', create: () => ({}) },
  first: {
    title: 'the first requests',
    field: { label: 'Number', min: 1, defaultValue: '1' },
    create: (first) => ({ when: { first } }),
  },
  nth: {
    title: 'only one request',
    field: { label: 'Number', min: 1, defaultValue: '1' },
    create: (nth) => ({ when: { nth } }),
  },
  probability: {
    title: 'random requests',
    field: { label: 'Percent', min: 0, max: 100, defaultValue: '20' },
    create: (percent) => ({ when: { probability: percent / 100 } }),
  },
}

export function FaultForm() {
  const { send, run } = useTeam()
  const [condition, setCondition] = useState('every')
  const [effect, setEffect] = useState('status')
  return (
    <Form
      submit={(values) =>
        run('Added the fault.', () => send('faults.add', { body: faultOf(values) }))
      }
    >
      <OperationSelect />
      <OptionSelect
        label="When"
        name="when"
        value={condition}
        setValue={setCondition}
        options={conditionOptions}
      />
      <CountField key={condition} {...conditionOptions[condition]?.field} />
      <OptionSelect
        label="Effect"
        name="effect"
        value={effect}
        setValue={setEffect}
        options={effectOptions}
      />
      {effectOptions[effect]?.fields.map(({ label, input }) => (
        <Field key={`${effect} ${input.name}`} label={label} class="short">
          <input {...input} />
        </Field>
      ))}
      <button type="submit" class="main">
        Add fault
      </button>
    </Form>
  )
}

function CountField({ label, ...input }: Partial<NonNullable<ConditionOption['field']>>) {
  if (!label) return null
  return (
    <Field label={label} class="short">
      <input type="number" name="count" required {...input} />
    </Field>
  )
}

function OperationSelect() {
  return (
    <Field label="On">
      <select name="on">
        <option value="*">every operation</option>
        {operationNamespaces.map((namespace) => (
          <optgroup key={namespace} label={namespace}>
            <option value={`${namespace}.*`}>{namespace}.*</option>
            <Options names={operationIds.filter((id) => id.startsWith(`${namespace}.`))} />
          </optgroup>
        ))}
      </select>
    </Field>
  )
}

interface OptionSelectProps {
  label: string
  name: string
  value: string
  setValue: (value: string) => void
  options: Readonly<Record<string, { title: string }>>
}

function OptionSelect({ label, name, value, setValue, options }: OptionSelectProps) {
  return (
    <Field label={label}>
      <select
        name={name}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      >
        <Options names={Object.keys(options)} titleOf={(key) => options[key]?.title ?? ''} />
      </select>
    </Field>
  )
}

function faultOf(values: FormData): Fault {
  const value = (name: string) => String(values.get(name) ?? '').trim()
  // The mock checks the values.
  return {
    on: value('on'),
    ...conditionOptions[value('when')]?.create(Number(value('count'))),
    then: effectOptions[value('effect')]?.create(value),
  } as Fault
}
