// Who is signed in on this page, and the form to sign in with.
import { say } from '/elements.js'

const byId = (id) => document.getElementById(id)

const NO_ANSWER = 'The service does not answer. Try again in a moment.'
const WRONG = 'That is not the token of this device. See that you have all of it, and nothing else.'
const WHY = {
  locked: 'This device is locked. Sign in with its token to see it and to change things.',
  elsewhere: 'From this network the device answers only those who sign in with its token.',
  action: 'This takes the token of the device.',
  offer: 'You can watch and operate without signing in. The token is for what the device is and whom it trusts.',
}
const ENDED =
  'You are not signed in any more: you signed out elsewhere, the session is over, or this device has another token now.'

/** onChange: called when somebody has signed in or out, or something else is allowed than before. */
export const createSession = (onChange) => {
  const form = byId('sign-in')
  const input = byId('token')
  let known // what GET /v1/session said last
  let isWanted = false // somebody asked for the form
  let isLeaving = false

  const mayRead = () => known === undefined || known.may.includes('read')
  const mayAdminister = () => known?.may.includes('administer') ?? false
  const isSignedIn = () => known?.identified_by === 'session'

  const complain = (text) => say(byId('sign-in-fault'), text)

  const showForm = (why) => {
    const isNew = form.hidden
    byId('sign-in-why').textContent = why
    byId('sign-in-later').hidden = !mayRead()
    form.hidden = false
    if (isNew) input.focus()
  }

  const show = (before) => {
    const isOut = before?.identified_by === 'session' && !isSignedIn()
    byId('who').hidden = !isSignedIn()
    byId('sign-out').hidden = !isSignedIn()
    byId('sign-in-offer').hidden = known.profile === 'bench' || isSignedIn() || !mayRead()
    if (isSignedIn()) {
      const end = new Date(known.expires_at_ms)
      byId('who').textContent =
        `signed in until ${end.toLocaleDateString(undefined, { day: 'numeric', month: 'long' })}`
      byId('who').title = `This browser is an administrator's until ${end.toLocaleString()}.`
    }
    if (!mayRead()) showForm(isOut && !isLeaving ? ENDED : known.profile === 'locked' ? WHY.locked : WHY.elsewhere)
    else if (isSignedIn() || !isWanted) form.hidden = true
  }

  const askService = async () => {
    try {
      const response = await fetch('/v1/session')
      return response.ok ? await response.json() : undefined
    } catch {
      return undefined // the page says by itself that the service is away
    }
  }

  /** Asks who we are; knows no more than before when there is no answer. */
  const ask = async () => {
    const now = await askService()
    if (!now || JSON.stringify(now) === JSON.stringify(known)) return
    const before = known
    known = now
    show(before)
    onChange()
  }

  /** Something was refused for want of a token: asks for it. */
  const refused = async () => {
    await ask()
    if (!mayRead() || isSignedIn()) return
    isWanted = true
    showForm(WHY.action)
  }

  const signIn = async () => {
    complain('')
    try {
      const response = await fetch('/v1/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: input.value.trim() }),
      })
      if (response.ok) {
        input.value = ''
        isWanted = false
        return await ask()
      }
      const { code, detail } = await response.json()
      complain(code === 'token.invalid' ? WRONG : detail)
    } catch {
      complain(NO_ANSWER)
    }
    input.select()
  }

  const signOut = async () => {
    isLeaving = true
    await fetch('/v1/session', { method: 'DELETE' }).catch(() => {})
    await ask()
    isLeaving = false
  }

  /** Runs a button's work, with the button out of reach meanwhile. */
  const once = async (button, work) => {
    if (button.disabled) return
    button.disabled = true
    await work()
    button.disabled = false
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    once(byId('sign-in-now'), signIn)
  })
  byId('sign-out').addEventListener('click', () => once(byId('sign-out'), signOut))
  byId('sign-in-offer').addEventListener('click', () => {
    isWanted = true
    showForm(WHY.offer)
  })
  byId('sign-in-later').addEventListener('click', () => {
    isWanted = false
    form.hidden = true
    complain('')
    byId('sign-in-offer').focus()
  })

  return { ask, mayRead, mayAdminister, refused }
}
