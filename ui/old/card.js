// One stream on the page: its live picture, its figures, and the robot on the field.
import { createChoice } from '/choice.js'
import { onPress, say } from '/elements.js'
import { drawField } from '/field.js'
import { createSlots } from '/slots.js'

const TONES = { live: 'good', failed: 'bad', disabled: 'quiet', ended: 'quiet' }
const WAITING = { live: 'Waiting for a picture', failed: 'The stream has failed' }
const RETRY_MS = 2000
const STILL_MS = 2000
const METRICS_EVERY = 5 // refreshes

/** get, send: of service.js. onChange: called when something has been ordered. */
export const createCard = (id, { get, send }, onChange) => {
  const root = document.getElementById('stream').content.firstElementChild.cloneNode(true)
  const find = (selector) => root.querySelector(selector)
  const preview = find('.preview')
  let ports = {}
  let moveRobots = () => {}
  let known = 0 // the revision from which ports and map were read
  let newest
  let refreshes = 0

  const fact = (name, text) => {
    find(`[data-fact=${name}]`).textContent = text
  }

  let shows = 0
  let mode = 'rest' // or: live, still
  const show = () => {
    shows += 1 // browsers do not ask again for a picture whose address they know
    const output = choice.output()
    const which = output ? `output=${output}` : 'overlay=true'
    const picture = mode === 'still' ? `frame?max_width=960&${which}` : `preview?max_width=960&${which}&fps=15`
    preview.src = `/v1/streams/${id}/${picture}#${shows}`
  }
  const turn = (next) => {
    if (mode === next) return
    mode = next
    if (mode !== 'rest') return show()
    preview.removeAttribute('src')
    preview.hidden = true
  }
  const choice = createChoice(find('.choice'), () => mode !== 'rest' && show())
  preview.addEventListener('load', () => {
    preview.hidden = false
  })
  preview.addEventListener('error', () => {
    preview.hidden = true
    choice.settle()
    setTimeout(() => root.isConnected && mode === 'live' && show(), RETRY_MS)
  })
  const stills = setInterval(() => mode === 'still' && preview.complete && show(), STILL_MS)

  /** Has a button order something. path, body: asked when it is pressed. done: what is said when it is done. */
  const orders = (selector, path, done, body = () => undefined) =>
    onPress(find(selector), find('.answer'), async () => {
      const detail = await send('POST', `/v1/streams/${id}/${path()}`, body())
      onChange()
      return detail || done
    })
  const slots = createSlots(find('.slots'), find('.answer'), async (body) => {
    const refusal = await send('POST', `/v1/streams/${id}/pipeline/graph`, body)
    onChange()
    return refusal
  })
  const looked = () => (choice.output() ? { output: choice.output() } : undefined)
  orders('.snapshot', () => 'snapshot', 'The picture is kept; see below.', looked)
  orders('.record', () => (newest?.status.recording ? 'recording/stop' : 'recording/start'), '')

  const readPlan = async ({ revision, spec }) => {
    const outputs = await get(`/v1/streams/${id}/pipeline/outputs`)
    const map = await get(`/v1/localization/maps/${spec.map_id}`)
    if (!outputs || !map) return
    const portOf = (kind) => outputs.outputs.find((output) => output.kind === kind)?.port
    choice.update(outputs.outputs)
    ports = { tags: portOf('detections'), pose: portOf('field_pose'), truth: portOf('truth') }
    moveRobots = drawField(find('.field'), map)
    known = revision
  }

  return {
    root,

    /** Shows the live picture. */
    watch: () => turn('live'),

    /** Shows a picture now and then: browsers have only so many connections to one device. */
    glance: () => turn('still'),

    /** Nobody looks: costs the device nothing. */
    rest: () => turn('rest'),

    /** It is on the page no more. */
    close: () => {
      turn('rest')
      clearInterval(stills)
      root.remove()
    },

    /** The service is away, and so is everything that was known. */
    lose: () => {
      turn('rest')
      find('.state').textContent = 'away'
      find('.state').dataset.tone = 'quiet'
      find('.waiting').textContent = 'Waiting for the service'
    },

    /** What GET /v1/streams says of it. */
    update: (stream) => {
      newest = stream
      const { spec, status } = stream
      find('h2').textContent = spec.alias
      preview.alt = `Live picture of ${spec.alias}`
      find('.state').textContent = status.state
      find('.state').dataset.tone = TONES[status.state] ?? 'busy'
      find('.waiting').textContent = WAITING[status.state] ?? `The stream is ${status.state}`
      say(find('.fault'), (status.fault ?? status.pipeline.fault ?? status.warnings[0])?.detail ?? '')
      slots.update(spec)
      const { recording } = status
      find('.record').textContent = recording
        ? `Stop recording (${Math.round(recording.duration_ms / 1000)} s)`
        : 'Record'
      find('.record').dataset.tone = recording ? 'bad' : 'quiet'
      if (recording?.fault) say(find('.answer'), recording.fault.detail)
      fact('fps', status.fps === null ? '–' : `${status.fps.toFixed(1)} fps`)
    },

    /** Reads the newest values; there are none while nobody looks and while no picture comes. */
    refresh: async () => {
      if (!newest || mode === 'rest' || newest.status.state !== 'live') return
      if (newest.revision !== known) await readPlan(newest)
      const sampleOf = (port) => port && get(`/v1/streams/${id}/pipeline/outputs/${port}/sample`)
      const isDue = refreshes % METRICS_EVERY === 0
      refreshes += 1
      const [tags, pose, truth, metrics] = await Promise.all([
        sampleOf(ports.tags),
        sampleOf(ports.pose),
        ports.truth && get(`/v1/streams/${id}/truth`),
        isDue && get(`/v1/streams/${id}/metrics`),
      ])
      const ids = tags?.sample?.rows.map((row) => row.id) ?? []
      const solved = planar(pose?.sample?.rows[0])
      fact('tags', ids.length > 0 ? `${ids.length} (${ids.join(', ')})` : '0')
      fact('x', solved ? `${solved.x_m.toFixed(2)} m` : '–')
      fact('y', solved ? `${solved.y_m.toFixed(2)} m` : '–')
      fact('yaw', solved ? `${solved.yaw_deg.toFixed(1)}°` : '–')
      if (isDue) fact('latency', metrics?.latency_us ? `${(metrics.latency_us.p50 / 1000).toFixed(1)} ms` : '–')
      find('.truth').hidden = !truth
      fact('error', errorText(truth?.sample?.error))
      moveRobots(solved, truth?.sample?.robot)
    },
  }
}

/** The robot's pose in the plane, from a row of a field pose. */
const planar = (row) => {
  if (!row) return undefined
  const { x_m, y_m, qw, qx, qy, qz } = row.field_robot
  const yaw = Math.atan2(2 * (qw * qz + qx * qy), 1 - 2 * (qy * qy + qz * qz))
  return { x_m, y_m, yaw_deg: (yaw * 180) / Math.PI }
}

const errorText = (error) =>
  error ? `${(error.distance_m * 100).toFixed(1)} cm, ${error.angle_deg.toFixed(2)}°` : 'no pose to compare'
