// The other devices: those that are registered, with what they show, and those that were found.
import { computeChoice } from '/compute.js'
import { answerPlace, createList, element, onPress, say } from '/elements.js'
import { createStage } from '/stage.js'

const TONES = { linked: 'good', refused: 'bad', failed: 'bad', offline: 'bad', legacy: 'quiet' }
const RETRY_MS = 2000

/** What is known of a device whose link is gone is as old as that. */
const factsOf = ({ base_url, stale, synced_at_ms }) =>
  stale && synced_at_ms !== null ? `${base_url} · as of ${new Date(synced_at_ms).toLocaleTimeString()}` : base_url

/**
 * What the page shows of a peer: nothing that changes with each sign of life, or its buttons would move under the hand.
 */
const shownOf = ({ id, name, base_url, status, stale, synced_at_ms, streams, fault }) => ({
  ...{ id, name, base_url, status, stale, synced_at_ms: stale ? synced_at_ms : null, fault },
  streams: streams.map(({ id, alias, revision, compute }) => ({ id, alias, revision, compute })),
})

const placeOf = (peerId, streamId) => `/v1/peers/${encodeURIComponent(peerId)}/streams/${encodeURIComponent(streamId)}`

const addressOf = (peerId, streamId) => `${placeOf(peerId, streamId)}/preview`

/** Browsers have nothing better on a page that came over plain HTTP. */
const newRequestId = () => `page-${Date.now()}-${Math.random().toString(36).slice(2)}`

/** root: where they are listed, hidden while there is none. */
export const createDevices = (root, { send, order }, onChange) => {
  const stage = createStage(root.querySelector('.stage'))
  /**
   * What became of the latest order to a stream of a device, by the id of that. A row is made anew when something in it
   * is another.
   */
  const results = new Map()

  /** A picture that comes back by itself when the device does. */
  const live = (address, alt) => {
    const picture = element('img', { src: address, alt })
    let shows = 0
    picture.addEventListener('error', () =>
      setTimeout(() => {
        shows += 1 // browsers do not ask again for a picture whose address they know
        if (picture.isConnected) picture.src = `${address}#${shows}`
      }, RETRY_MS),
    )
    return picture
  }

  const button = (text, press) => {
    const made = element('button', { type: 'button', className: 'quiet', textContent: text })
    made.addEventListener('click', press)
    return made
  }

  const forget = async ({ id, name }) => {
    if (!confirm(`Forget ${name}? It takes a new registration to see it again.`)) return ''
    const detail = await send('DELETE', `/v1/peers/${encodeURIComponent(id)}`)
    onChange()
    return detail
  }

  const setCompute = async (peer, { id, alias }, compute, result) => {
    const command = { request_id: newRequestId(), command: 'set_compute', payload: { compute } }
    const { body, problem = '' } = await order(`${placeOf(peer.id, id)}/commands`, command)
    results.set(peer.id, body ? `${peer.name}: done, ${alias} is at revision ${body.new_revision} there` : '')
    say(result, results.get(peer.id))
    onChange()
    return problem
  }

  const entry = (peer) => {
    const row = element('li', {})
    const answer = answerPlace()
    const result = element('p', { className: 'hint', role: 'status' })
    say(result, results.get(peer.id) ?? '')
    const state = element('span', { className: 'pill', textContent: peer.status })
    state.dataset.tone = TONES[peer.status] ?? 'busy'
    row.append(
      element('strong', { textContent: peer.name }),
      state,
      element('span', { className: 'hint', textContent: factsOf(peer) }),
    )
    for (const stream of peer.streams) {
      const { id, alias, revision } = stream
      const address = addressOf(peer.id, id)
      row.append(
        element('span', {
          className: 'hint',
          textContent: `${alias} is a remote native stream, at revision ${revision} there`,
        }),
        button(`Watch ${alias}`, () => stage.show(address, live(address, `${alias} of ${peer.name}`))),
        computeChoice(stream, answer, (compute) => setCompute(peer, stream, compute, result)),
      )
    }
    const drop = element('button', { type: 'button', className: 'quiet', textContent: 'Forget' })
    onPress(drop, answer, () => forget(peer))
    row.append(drop)
    if (peer.fault) row.append(element('p', { className: 'fault', textContent: peer.fault.detail }))
    row.append(result, answer)
    return row
  }

  const list = createList(root, entry)

  return {
    /** What asking for /v1/peers brought. */
    update: ({ body, problem }) => {
      list.update({ body: body && { items: body.items.map(shownOf) }, problem })
      const watched = stage.shown()
      const isShown = ({ id, streams }) => streams.some((stream) => addressOf(id, stream.id) === watched)
      if (watched && body && !body.items.some(isShown)) stage.close()
    },
  }
}
