// The cameras that are plugged in and that no stream uses: one button starts them.
import { answerPlace, createList, element, onPress } from '/elements.js'

const LONGEST_ALIAS = 60 // of a stream

const modeText = (mode) => (mode ? `${mode.width_px}×${mode.height_px}, ${mode.fps} fps` : 'no mode that can be used')

/** root: where they are listed, hidden while there is none. */
export const createCameras = (root, { send }, onChange) => {
  /** A button that orders something, and what the service says to it. */
  const order = (text, method, path, body) => {
    const button = element('button', { type: 'button', textContent: text })
    const answer = answerPlace()
    onPress(button, answer, async () => {
      const detail = await send(method, path, body)
      onChange()
      return detail
    })
    return [button, answer]
  }

  const entry = ({ camera_uid, name, best_mode, candidates, trouble }) => {
    const item = element('li', {})
    item.append(
      element('strong', { textContent: name }),
      element('span', { className: 'hint', textContent: trouble ?? modeText(best_mode) }),
    )
    for (const { stream_id } of candidates) {
      if (stream_id === null) continue // one that no stream waits for: there is nothing to decide
      item.append(
        ...order(`It is the camera of ${stream_id}`, 'POST', `/v1/streams/${stream_id}/assign`, { camera_uid }),
      )
    }
    if (best_mode)
      item.append(...order('Start it', 'POST', '/v1/streams', { camera_uid, alias: name.slice(0, LONGEST_ALIAS) }))
    return item
  }

  const list = createList(root, entry)
  const isFree = ({ present, stream_id }) => present && !stream_id

  return {
    /** What asking for /v1/peripherals/cameras brought. */
    update: ({ body, problem }) => list.update({ body: body && { items: body.items.filter(isFree) }, problem }),
  }
}
