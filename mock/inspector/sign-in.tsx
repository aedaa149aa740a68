import type { TargetedSubmitEvent } from 'preact'
import type { RequestError } from './api-client.ts'
import { Field } from './components/form.tsx'

interface SignInProps {
  error: RequestError
  token: string
  setToken: (token: string) => void
  retry: () => void
}

export function SignInPage({ error, token, setToken, retry }: SignInProps) {
  return (
    <main class="sign-in">
      <h1>Mock inspector</h1>
      {error.status === 401 ? (
        <TokenForm isRejected={token !== ''} setToken={setToken} />
      ) : (
        <>
          <p class="problem" role="alert">
            {error.message}
          </p>
          <button type="button" class="main" onClick={retry}>
            Try again
          </button>
        </>
      )}
    </main>
  )
}

interface TokenFormProps {
  isRejected: boolean
  setToken: (token: string) => void
}

function TokenForm({ isRejected, setToken }: TokenFormProps) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setToken(String(new FormData(event.currentTarget).get('token')))
  }
  return (
    <form onSubmit={submit}>
      <p class="hint">This server requires a token. The token is kept until you close this tab.</p>
      <Field label="Token">
        <input
          name="token"
          type="password"
          autocomplete="off"
          required
          aria-describedby={isRejected ? 'wrong-token' : undefined}
        />
      </Field>
      {isRejected && (
        <p id="wrong-token" class="problem" role="alert">
          The token is invalid.
        </p>
      )}
      <button type="submit" class="main">
        Open
      </button>
    </form>
  )
}
