import { useEffect } from 'preact/hooks'

/** The result of the last action. */
export interface Message {
  text: string
  isProblem: boolean
}

interface NoticeProps {
  message: Message | undefined
  close: () => void
}

/** Shows the result of the last action for a few seconds. */
export function Notice({ message, close }: NoticeProps) {
  useEffect(() => {
    const timer = setTimeout(close, message?.isProblem ? 15_000 : 5000)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <div class="notices" role="status">
      {message && (
        <p class={message.isProblem ? 'notice problem' : 'notice'}>
          <span>{message.text}</span>
          <button type="button" class="plain" aria-label="Close the notice" onClick={close}>
            ×
          </button>
        </p>
      )}
    </div>
  )
}
