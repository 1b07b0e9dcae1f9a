// The first page: every stream of this device, live. It keeps trying when the service is away, and says what it waits
// for.
import { createCameras } from '/cameras.js'
import { createCard } from '/card.js'
import { createDevices } from '/devices.js'
import { say } from '/elements.js'
import { createMedia } from '/media.js'
import { createPairing } from '/pairing.js'
import { createService } from '/service.js'
import { createSession } from '/session.js'

const REFRESH_MS = 1000
const SURVEY_MS = 2000 // while events do not come
const QUIET_SURVEY_MS = 15_000 // while they do: for what no event tells of
const STREAMS_MS = 2000 // rates and lengths of recordings are no events
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 5000
/** Of the six connections that browsers keep to one host: two are for what is looked at below, one for the rest. */
const MAX_LIVE = 3
const GATHER_MS = 100 // events come in bunches
const NOTHING = { body: { items: [] } }
const MOST_MEDIA = 20 // the newest; all of them are in the interface

const byId = (id) => document.getElementById(id)
const cards = new Map()
const inView = new Set() // the elements of cards
let isAway = true
let hearsEvents = false
let epoch

const notify = (text) => say(byId('notice'), text)

/** Nothing on this page fails in silence; what is shown may be old from then on. */
const complain = (error) =>
  notify(
    `A part of this page has failed, and what it shows may be old; please load it again. (${error?.message ?? error})`,
  )
addEventListener('error', ({ error, message }) => complain(error ?? message))
addEventListener('unhandledrejection', ({ reason }) => complain(reason))

const pill = (id, text, tone) => {
  byId(id).textContent = text
  byId(id).dataset.tone = tone
}

const showService = (health) => {
  pill(
    'service',
    health ? `service ${health.status}` : 'service away',
    health ? (health.status === 'ok' ? 'good' : 'busy') : 'bad',
  )
  if (health) byId('version').textContent = `Vedette ${health.version}`
}

const showLink = (nt4) => {
  if (!nt4) {
    pill('link', 'robot: not known', 'quiet')
    return
  }
  const { status } = nt4
  const { target } = nt4.spec
  const text = status.connected
    ? `NT ${status.protocol}, ${(status.round_trip_us / 1000).toFixed(1)} ms`
    : 'not connected'
  if (target === 'off') pill('link', 'robot: off', 'quiet')
  else pill('link', `robot (${target}): ${text}`, status.connected ? 'good' : 'busy')
}

/** Leaves only the cards that are wanted. */
const keepCards = (isWanted) => {
  for (const [id, card] of cards) {
    if (isWanted(id)) continue
    observer.unobserve(card.root)
    inView.delete(card.root)
    card.close()
    cards.delete(id)
  }
}

/** Whoever is in view shows live pictures, as far as there are connections for them; the others one now and then. */
const sharePictures = () => {
  let live = 0
  for (const card of cards.values()) {
    if (document.hidden || isAway || !inView.has(card.root)) card.rest()
    else if (live < MAX_LIVE) {
      live += 1
      card.watch()
    } else card.glance()
  }
}

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) inView.add(target)
    else inView.delete(target)
  }
  sharePictures()
})

const showStreams = ({ items: streams }) => {
  const wanted = new Map(streams.map((stream) => [stream.id, stream]))
  keepCards((id) => wanted.has(id))
  for (const [id, stream] of wanted) {
    let card = cards.get(id)
    if (!card) {
      card = createCard(id, service, () => survey())
      cards.set(id, card)
      byId('streams').append(card.root)
      observer.observe(card.root)
    }
    card.update(stream)
  }
  notify(
    streams.length > 0
      ? ''
      : 'There is no stream yet. Plug in a camera and start it here, or POST a manifest to /v1/streams; ' +
          'the API explorer shows how.',
  )
}

/** Reads everything slow: which streams there are and how they are. */
const survey = async () => {
  if (isAway || !session.mayRead()) await session.ask()
  if (!session.mayRead()) return showNothing()
  const [{ body: health }, { body: nt4 }, streams, plugged, kept, peers, found, paired] = await Promise.all([
    service.ask('/v1/health'),
    service.ask('/v1/device/nt4'),
    service.ask('/v1/streams'),
    service.ask('/v1/peripherals/cameras'),
    service.ask(`/v1/media?limit=${MOST_MEDIA}`),
    service.ask('/v1/peers'),
    service.ask('/v1/peers/candidates'),
    session.mayAdminister() ? service.ask('/v1/peers/pairing') : {},
  ])
  showService(health)
  showLink(nt4)
  if (!health) {
    if (!isAway) for (const card of cards.values()) card.lose()
    isAway = true
    notify(`Waiting for the service at ${location.host}. It may be starting again; this page goes on by itself.`)
    return
  }
  const isBack = isAway || health.epoch !== epoch
  isAway = false
  epoch = health.epoch
  if (streams.body) showStreams(streams.body)
  else if (streams.problem) notify(streams.problem)
  cameras.update(plugged)
  media.update(kept)
  devices.update(peers)
  pairing.update(paired, found, peers)
  if (isBack) sharePictures()
}

/** Reads what changes without an event. */
const surveyStreams = async () => {
  if (isAway || !session.mayRead()) return
  const { body } = await service.ask('/v1/streams')
  if (body) showStreams(body)
}

/** Whoever may not read sees the form and nothing of the device. */
const showNothing = () => {
  keepCards(() => false)
  cameras.update(NOTHING)
  media.update(NOTHING)
  devices.update(NOTHING)
  pairing.update({}, NOTHING, NOTHING)
  pill('service', 'locked', 'quiet')
  pill('link', 'robot: not shown', 'quiet')
  notify('')
  isAway = false
}

const session = createSession(() => survey())
const service = createService(() => session.refused())
const cameras = createCameras(byId('cameras'), service, () => survey())
const media = createMedia(byId('media'), service, () => survey())
const devices = createDevices(byId('devices'), service, () => survey())
const pairing = createPairing(byId('pairing'), service, () => survey())

/** Calls `work` again and again, one at a time, and not while nobody looks. pauseMs: until the next time. */
const repeat = async (work, pauseMs) => {
  for (;;) {
    try {
      if (!document.hidden) await work()
    } catch (error) {
      reportError(error) // the next time may go well
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs()))
  }
}

/** The newest event that was heard of, to come back with after a break. */
let heard

/** Events say when something has changed; without them all is read every two seconds. */
const listen = (waitMs) => {
  if (!session.mayRead()) return setTimeout(() => listen(FIRST_WAIT_MS), FIRST_WAIT_MS)
  const since = heard ? `?since=${heard.seq}&epoch=${encodeURIComponent(heard.epoch)}` : ''
  const socket = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}/v1/events${since}`)
  let wait = waitMs
  let isDue = false
  socket.onmessage = ({ data }) => {
    wait = FIRST_WAIT_MS
    if (!hearsEvents && isAway) survey() // it is back
    hearsEvents = true
    const { kind, seq, epoch } = JSON.parse(data)
    if (kind === 'hello') return // what was missed follows, or the word that everything has to be read
    heard = { seq, epoch }
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      survey()
    }, GATHER_MS)
  }
  socket.onclose = () => {
    if (hearsEvents) survey() // the service may be away
    hearsEvents = false
    setTimeout(() => listen(Math.min(wait * 2, LONGEST_WAIT_MS)), wait)
  }
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) session.ask() // somebody may have signed out in another tab
  sharePictures()
})

byId('device').textContent = location.hostname
repeat(survey, () => (hearsEvents && !isAway ? QUIET_SURVEY_MS : SURVEY_MS))
repeat(surveyStreams, () => STREAMS_MS)
repeat(
  () => Promise.all([...cards.values()].map((card) => (isAway ? undefined : card.refresh()))),
  () => REFRESH_MS,
)
session.ask().then(() => listen(FIRST_WAIT_MS))
