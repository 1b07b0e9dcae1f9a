// What has been kept: the newest pictures and recordings, to be looked at, saved and removed.
import { answerPlace, createList, element, onPress } from '/elements.js'
import { createStage } from '/stage.js'

const sizeText = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`)

const lengthText = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`

const FLAWS = { interrupted: 'it was interrupted; what there was of it is kept' }

const factsOf = ({ created_at_ms, stream_id, duration_ms, size_bytes, state, flaw }) =>
  [
    new Date(created_at_ms).toLocaleString(),
    stream_id,
    duration_ms === null ? null : lengthText(duration_ms),
    state === 'writing' ? 'being written' : sizeText(size_bytes),
    flaw && (FLAWS[flaw] ?? flaw),
  ]
    .filter(Boolean)
    .join(' · ')

const addressOf = ({ name }) => `/v1/media/${encodeURIComponent(name)}`

/** root: where it is listed, hidden while there is nothing. */
export const createMedia = (root, { send }, onChange) => {
  const stage = createStage(root.querySelector('.stage'))

  /** H.264 is played as it is. Browsers play no JPEGs in an MP4: those come as live pictures, at their own pace. */
  const film = (item, address) => {
    const video = element('video', { src: address, controls: true, autoplay: true, muted: true })
    video.addEventListener('error', () => {
      if (video.isConnected) video.replaceWith(element('img', { src: `${address}?as=multipart`, alt: item.name }))
    })
    return video
  }

  const open = (item) => {
    const address = addressOf(item)
    const picture = item.kind === 'recording' ? film(item, address) : element('img', { src: address, alt: item.name })
    stage.show(item.name, picture)
  }

  const remove = async (item) => {
    if (!confirm(`Remove ${item.name} for good?`)) return ''
    const detail = await send('DELETE', addressOf(item))
    onChange()
    return detail
  }

  const entry = (item) => {
    const row = element('li', {})
    const answer = answerPlace()
    row.append(
      element('strong', { textContent: item.name }),
      element('span', { className: 'hint', textContent: factsOf(item) }),
    )
    if (item.state === 'ready') {
      const look = element('button', { type: 'button', className: 'quiet', textContent: 'Watch' })
      look.addEventListener('click', () => open(item))
      const save = element('a', { href: addressOf(item), download: item.name, textContent: 'Save' })
      const drop = element('button', { type: 'button', className: 'quiet', textContent: 'Remove' })
      onPress(drop, answer, () => remove(item))
      row.append(look, save, drop)
    }
    row.append(answer)
    return row
  }

  const list = createList(root, entry)

  return {
    /** What asking for /v1/media brought. */
    update: (answer) => {
      list.update(answer)
      const isGone = answer.body && !answer.body.items.some(({ name }) => name === stage.shown())
      if (stage.shown() && isGone) stage.close()
    },
  }
}
