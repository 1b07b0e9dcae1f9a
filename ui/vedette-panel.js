// What the panel of a plugin imports: `import { panel } from './vedette-panel.js'`. It speaks with the page around the
// panel, and with nothing else. Each message of the page comes over a channel that the page has given to this frame.

const port = new Promise((resolve) => {
  const hear = ({ source, data, ports }) => {
    if (source !== parent || data?.vedette !== 'start' || !ports[0]) return
    removeEventListener('message', hear)
    show(data)
    resolve(ports[0])
  }
  addEventListener('message', hear)
  parent.postMessage({ vedette: 'ready', api: 1 }, '*') // the page looks which frame it came from
})

const heard = { message: new Set(), theme: new Set(), size: new Set() }
const asked = new Map() // by id: what an answer settles
const watched = new Map() // by id: who is told of results
let lastId = 0

const show = ({ theme }) => {
  if (theme) document.documentElement.dataset.theme = theme
}

const tell = (kind, value) => {
  for (const listener of heard[kind]) listener(value)
}

const hearPort = ({ data }) => {
  if (data.type === 'answer') {
    const { resolve, reject } = asked.get(data.id) ?? {}
    asked.delete(data.id)
    if (data.ok) resolve?.(data.value)
    else reject?.(Object.assign(new Error(data.problem.detail), { code: data.problem.code }))
  } else if (data.type === 'results') watched.get(data.id)?.(data.results)
  else if (data.type === 'message') tell('message', data.message)
  else if (data.type === 'theme') {
    show(data)
    tell('theme', data.theme)
  } else if (data.type === 'size') tell('size', { width_px: data.width_px, height_px: data.height_px })
}

void port.then((open) => {
  open.onmessage = hearPort
})

const send = async (message) => (await port).postMessage(message)

const request = (message) =>
  new Promise((resolve, reject) => {
    lastId += 1
    asked.set(lastId, { resolve, reject })
    void send({ ...message, id: lastId })
  })

const listen = (kind) => (listener) => {
  heard[kind].add(listener)
  return () => heard[kind].delete(listener)
}

export const panel = {
  /**
   * Reads something of the device, as `panel.read('/v1/streams')`. It takes the permission `read`. Rejects with an
   * error that has a `code` and says in words why.
   */
  read: (path) => request({ type: 'read', path }),

  /**
   * Hears what a stream finds: `{ stream_id, seq, captured_us, outputs }`, at most ten times a second. It takes the
   * permission `read`. Returns what ends that.
   */
  watch: (streamId, hear) => {
    lastId += 1
    const id = lastId
    watched.set(id, hear)
    void send({ type: 'watch', id, stream_id: streamId })
    return () => {
      watched.delete(id)
      void send({ type: 'unwatch', id })
    }
  },

  /** Sends something to the program of the plugin; resolves when it is on its way. */
  send: (message) => request({ type: 'send', message }),

  /** Called with each message of the program. Returns what ends that. */
  onMessage: listen('message'),

  /** Called with `light` or `dark` when that changes. `data-theme` of the document is set by itself. */
  onTheme: listen('theme'),

  /** Called with the size of the frame in pixels, when that changes. */
  onSize: listen('size'),

  /** Asks for a height of the frame, in pixels; the page keeps it within reason. */
  setHeight: (height_px) => send({ type: 'height', height_px }),

  /** Has the frame as high as what is in the panel, from now on. */
  fitHeight: () => {
    const fit = () => panel.setHeight(Math.ceil(document.documentElement.getBoundingClientRect().height))
    new ResizeObserver(fit).observe(document.documentElement)
  },
}
