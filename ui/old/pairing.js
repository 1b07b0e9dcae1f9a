// Pairing this device with another one: one waits, the other calls, both show a code, and people compare.
import { answerPlace, element, onPress, say } from '/elements.js'

const PATH = '/v1/peers/pairing'

const IDLE = {
  closed: () => 'Two devices that are paired trust each other. Let one wait, and have the other call it.',
  done: ({ other }) => `${other?.name ?? 'The other device'} and this device trust each other now.`,
  failed: ({ fault }) => fault?.detail ?? 'Nothing came of it. Begin again.',
}

const BUSY = {
  open: () =>
    'This device waits to be called. On the other one, type the address of this one: https, with the port of HTTPS.',
  calling: ({ base_url }) => `Calling ${base_url}.`,
  waiting: ({ other }) => `${other?.name ?? 'Somebody'} calls.`,
  comparing: ({ other }) =>
    `Read the code that ${other.name} shows, and type it here. ` +
    'If it is not the one below, somebody stands between: stop.',
  confirmed: ({ other }) => `Confirmed here. Now type this code on ${other.name}.`,
  storing: () => 'Both have confirmed. The certificates are being kept.',
}

const leftText = ({ remaining_ms }) => (remaining_ms === null ? '' : `${Math.ceil(remaining_ms / 1000)} s are left.`)

/** A device that can be called: over TLS, and not known yet. */
const isCallable =
  (peers) =>
  ({ base_url, device_id }) =>
    base_url.startsWith('https:') && device_id !== null && !peers.some((peer) => peer.device_id === device_id)

/** root: hidden from who may not pair. */
export const createPairing = (root, { send }, onChange) => {
  const [says, left, code, ways] = ['.says', '.left', '.code', '.ways'].map((each) => root.querySelector(each))
  const answer = answerPlace()
  let shown = ''

  const order = async (method, path, body) => {
    const detail = await send(method, path, body)
    onChange()
    return detail
  }

  const button = (text, work, className = 'quiet') => {
    const made = element('button', { type: 'button', className, textContent: text })
    onPress(made, answer, work)
    return made
  }

  /** A line to type into, and a button for what was typed. Enter does the same. */
  const typed = (label, example, text, work) => {
    const input = element('input', { type: 'text', placeholder: example, ariaLabel: label, autocomplete: 'off' })
    const go = button(text, () => work(input.value.trim()), '')
    input.addEventListener('keydown', ({ key }) => key === 'Enter' && go.click())
    return [input, go]
  }

  const begin = (base_url) => order('POST', PATH, { base_url })

  const idle = (found) => [
    ...typed('Address of the other device', 'https://10.12.34.11:5801', 'Call it', begin),
    ...found.map(({ name, base_url }) => button(`Call ${name ?? base_url}`, () => begin(base_url))),
    button('Wait to be called', () => order('POST', PATH, {})),
  ]

  const busy = ({ state }) => [
    ...(state === 'comparing'
      ? typed('The code that the other device shows', '123 456', 'It shows this', (text) =>
          order('POST', `${PATH}/confirm`, { code: text }),
        )
      : []),
    button('Stop', () => order('DELETE', PATH)),
  ]

  return {
    /** What asking for /v1/peers/pairing, /v1/peers/candidates and /v1/peers brought. */
    update: ({ body: pairing }, { body: candidates }, { body: peers }) => {
      root.hidden = !pairing
      if (!pairing) return
      const { state } = pairing
      const found = (candidates?.items ?? []).filter(isCallable(peers?.items ?? []))
      say(left, leftText(pairing))
      const now = JSON.stringify([state, pairing.code, pairing.fault, found.map(({ id }) => id)])
      if (now === shown) return // what is being typed stays
      shown = now
      say(says, (IDLE[state] ?? BUSY[state])(pairing))
      says.dataset.tone = { done: 'good', failed: 'bad' }[state] ?? 'quiet'
      say(code, pairing.code ?? '')
      say(answer, '')
      ways.replaceChildren(...(IDLE[state] ? idle(found) : busy(pairing)), answer)
    },
  }
}
