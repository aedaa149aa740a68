import type { ComponentChildren } from 'preact'

interface FormProps {
  /** Receives the values of the form, and the form itself, for example to reset it. */
  submit: (values: FormData, form: HTMLFormElement) => unknown
  children: ComponentChildren
}

/** Shows a form in one line, and passes its values to `submit` instead of sending them. */
export function Form({ submit, children }: FormProps) {
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    // The listener is on the form.
    const form = event.currentTarget as HTMLFormElement
    submit(new FormData(form), form)
  }
  return (
    <form class="line" onSubmit={onSubmit}>
      {children}
    </form>
  )
}

/** Shows a control of a form under its label. */
export function Field(props: { label: string; children: ComponentChildren; class?: string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label class={`field ${props.class ?? ''}`}>
      <span>{props.label}</span>
      {props.children}
    </label>
  )
}
