import type { Refused } from './control.ts'
import { Field } from './parts.tsx'

interface AdmissionProps {
  refusal: Refused
  token: string
  enter: (token: string) => void
  retry: () => void
}

/** Asks for the token, or says why nothing can be shown. */
export function Admission({ refusal, token, enter, retry }: AdmissionProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    enter(String(new FormData(event.currentTarget as HTMLFormElement).get('token')))
  }
  return (
    <main class="admission">
      <h1>Mock inspector</h1>
      {refusal.status === 401 ? (
        <form onSubmit={submit}>
          <p class="hint">
            This server was started with a token. The tab remembers it until it is closed.
          </p>
          <Field label="Token">
            <input
              name="token"
              type="password"
              autocomplete="off"
              required
              aria-describedby={token ? 'refusal' : undefined}
            />
          </Field>
          {token && (
            <p id="refusal" class="problem" role="alert">
              This is not the token.
            </p>
          )}
          <button type="submit" class="main">
            Open
          </button>
        </form>
      ) : (
        <>
          <p class="problem" role="alert">
            {refusal.message}
          </p>
          <button type="button" class="main" onClick={retry}>
            Try again
          </button>
        </>
      )}
    </main>
  )
}
