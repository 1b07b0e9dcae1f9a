// The cameras that are plugged in and that no stream uses: one button starts them.

const LONGEST_ALIAS = 60 // of a stream

const modeText = (mode) => (mode ? `${mode.width_px}×${mode.height_px}, ${mode.fps} fps` : 'no mode that can be used')

/** root: where they are listed, hidden while there is none. */
export const createCameras = (root, { send }, onChange) => {
  const list = root.querySelector('ul')
  let shown = ''

  /** A button that orders something, and what the service says to it. */
  const order = (text, method, path, body) => {
    const button = document.createElement('button')
    const answer = document.createElement('p')
    button.type = 'button'
    button.textContent = text
    answer.className = 'fault'
    answer.role = 'alert'
    answer.hidden = true
    button.addEventListener('click', async () => {
      button.disabled = true
      const detail = await send(method, path, body)
      button.disabled = false
      answer.textContent = detail
      answer.hidden = detail === ''
      onChange()
    })
    return [button, answer]
  }

  const entry = ({ camera_uid, name, best_mode, candidates, trouble }) => {
    const item = document.createElement('li')
    const title = document.createElement('strong')
    const mode = document.createElement('span')
    title.textContent = name
    mode.className = 'hint'
    mode.textContent = trouble?.detail ?? modeText(best_mode)
    item.append(title, mode)
    for (const { stream_id } of candidates)
      item.append(
        ...order(`It is the camera of ${stream_id}`, 'POST', `/v1/streams/${stream_id}/assign`, { camera_uid }),
      )
    if (best_mode)
      item.append(...order('Start it', 'POST', '/v1/streams', { camera_uid, alias: name.slice(0, LONGEST_ALIAS) }))
    return item
  }

  return {
    /** What GET /v1/peripherals/cameras says. */
    update: (cameras) => {
      const free = cameras.filter(({ present, stream_id }) => present && !stream_id)
      root.hidden = free.length === 0
      const now = JSON.stringify(free)
      if (now === shown) return // a button that is being pressed stays where it is
      shown = now
      list.replaceChildren(...free.map(entry))
    },
  }
}
