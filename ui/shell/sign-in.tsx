// Signing in with the token of the device, when the service wants to know who asks.
import { useSelector } from '@xstate/store-react'
import { useState } from 'react'
import { api, ask, type Problem } from '../api/client.ts'
import { connectFeed } from '../api/feed.ts'
import { Button, Dialog, Field, ProblemNote } from '../parts/parts.tsx'
import { session } from '../state/device.ts'
import { useKnown } from '../state/live.ts'
import { tokenForm } from '../state/sign-in.ts'

const WHY = {
  locked: 'This device is locked. Sign in with its token to see it and to change things.',
  elsewhere: 'From this network the device answers only those who sign in with its token.',
  action: 'This takes the token of the device.',
}

const HINT = `The service told the token once, in its log, at its first start. Where it is lost: delete the file
administrator-token of its data directory and start the service again; the log has a new one.`

const WRONG = 'That is not the token of this device. See that you have all of it, and nothing else.'

/** The form, over the page. */
export const SignIn = () => {
  const isWanted = useSelector(tokenForm, ({ context }) => context.isWanted)
  const { value: who } = useKnown(session)
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const mayRead = who === undefined || who.may.includes('read')
  if (mayRead && !isWanted) return null

  const signIn = async () => {
    const answer = await ask(api.POST('/v1/session', { body: { token: token.trim() } }))
    if (!answer.ok) {
      setProblem(answer.problem.code === 'token.invalid' ? { ...answer.problem, detail: WRONG } : answer.problem)
      return
    }
    setToken('')
    setProblem(undefined)
    tokenForm.trigger.done()
    session.refresh()
    connectFeed() // it may have been refused; what it resets is read again
  }
  const why = mayRead ? WHY.action : who.profile === 'locked' ? WHY.locked : WHY.elsewhere
  return (
    <Dialog title="Sign in" isRequired={!mayRead} onClose={() => tokenForm.trigger.done()}>
      <p>{why}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <input name="username" autoComplete="username" value="administrator" readOnly hidden />
        <Field name="Token" hint={HINT}>
          {(id, describedBy) => (
            <input
              id={id}
              className="input"
              type="password"
              name="token"
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={512}
              required
              aria-describedby={describedBy}
              value={token}
              onChange={({ target }) => setToken(target.value)}
            />
          )}
        </Field>
        {problem && <ProblemNote problem={problem} />}
        <div className="row">
          <Button type="submit" kind="main">
            Sign in
          </Button>
          {mayRead && <Button onClick={() => tokenForm.trigger.done()}>Not now</Button>}
        </div>
      </form>
    </Dialog>
  )
}
