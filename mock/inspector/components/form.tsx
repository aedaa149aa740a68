import type { ComponentChildren, RefObject, TargetedEvent, TargetedSubmitEvent } from 'preact'

interface FormProps {
  /** Receives the form's values, and the form itself, for example to reset the form. */
  submit: (values: FormData, form: HTMLFormElement) => unknown
  children: ComponentChildren
  form?: RefObject<HTMLFormElement | null>
  /** Whether each change submits the form. Default: false. */
  isLive?: boolean
}

export function Form({ submit, children, form: ref, isLive }: FormProps) {
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    submit(new FormData(form), form)
  }
  const onChange = ({ currentTarget: form }: TargetedEvent<HTMLFormElement>) => {
    if (form.reportValidity()) submit(new FormData(form), form)
  }
  return (
    <form class="line" ref={ref ?? null} onSubmit={onSubmit} {...(isLive ? { onChange } : {})}>
      {children}
    </form>
  )
}

export function Field(props: { label: string; children: ComponentChildren; class?: string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label class={`field ${props.class ?? ''}`}>
      <span>{props.label}</span>
      {props.children}
    </label>
  )
}

interface OptionsProps<Name extends string> {
  names: readonly Name[]
  /** Default: the name. */
  titleOf?: (name: Name) => string
  selected?: string | undefined
}

export function Options<Name extends string>({
  names,
  titleOf = (name) => name,
  selected,
}: OptionsProps<Name>) {
  return (
    <>
      {names.map((name) => (
        <option key={name} value={name} selected={name === selected}>
          {titleOf(name)}
        </option>
      ))}
    </>
  )
}
