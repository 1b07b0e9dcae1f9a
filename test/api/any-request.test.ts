// Whatever body or query is made for a row: one that fits is not refused, one that does not is, and leaves nothing
// behind. Chance has a seed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cameraExample } from '../../api/cameras/wire.ts'
import type { Endpoint } from '../../api/endpoints/endpoint.ts'
import { externalExample } from '../../api/localization/external.ts'
import { storedExample } from '../../api/pipeline/wire.ts'
import { packageExample, uploadExample } from '../../api/plugins/wire.ts'
import { poseExample } from '../../api/stream/wire.ts'
import { trustExample } from '../../api/trust/wire.ts'
import { calibrationExample } from '../../machines/calibration/calibration.ts'
import type { ClientCode } from '../../machines/errors/catalogue.ts'
import { animationExample } from '../../machines/lighting/animation.ts'
import { MADE_UP_LIGHTING } from '../../machines/lighting/config.ts'
import type { Edit } from '../../machines/media/edits.ts'
import { mediaExample } from '../../machines/media/item.ts'
import { defaultGraph } from '../../machines/pipeline/graph.ts'
import type { NodeType } from '../../machines/pipeline/node-type.ts'
import { nodeTypes } from '../../machines/pipeline/registry.ts'
import { filled } from '../../machines/schema/defaults.ts'
import { FAKE_IMU } from '../../native/imu/fake.ts'
import type { FakeUpdateBackend } from '../../native/update/fake.ts'
import { UPDATE_BACKEND } from '../../native/update/port.ts'
import { allEndpoints, assertProblem, type FakeApi, forCertificates, pathOf } from '../support/api/api.ts'
import { fitting, objectsIn, padded, spoilt } from '../support/api/arbitrary.ts'
import {
  addCalibration,
  addCapture,
  addJob,
  addSurvey,
  addUpdate,
  busyApi,
  PICTURE_OUTPUT,
} from '../support/api/busy-api.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { sensibleLocalization } from '../support/localization/sensible.ts'
import { shortOrLong } from '../support/long.ts'
import { addMedia } from '../support/media/stored-media.ts'
import { ORIGIN } from '../support/peers/peers.ts'
import { addPlugin } from '../support/plugins/installed.ts'
import { until } from '../support/until.ts'

const SEED = 5_011
const PADDINGS = [1, 256, 300, 999, 1001]
const WIDEST = 1000 // keys of an object that is still read

const rows = allEndpoints()
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** Is asked for what changes nothing. */
const shared = await busyApi(fileLifetime())

const urlOf = (row: Endpoint, query = ''): string => pathOf(row) + (query && `?${query}`)

/** A patch of the pipeline of `front` that can be sent again and again. */
const UNCHANGING = {
  expected_pipeline_revision: 1,
  patch: [{ op: 'test', path: '/nodes/0/id', value: 'source' }],
}

/** Stands for a key that nobody has used. */
const ANOTHER_KEY = 'another-key'
let keys = 0

const withKey = (body: unknown): unknown =>
  (body as { readonly request_id?: unknown } | undefined)?.request_id === ANOTHER_KEY
    ? { ...(body as object), request_id: `key-${keys++}` }
    : body

const ask = async ({ app }: FakeApi, row: Endpoint, query: string, sent?: unknown) => {
  const body = withKey(sent)
  const response = await app.inject({
    method: row.answer.endless ? 'HEAD' : row.method, // a preview never ends
    url: urlOf(row, query),
    headers: { host: 'localhost', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(row.upload && { payload: Buffer.from(row.upload.example) }),
  })
  const { location, 'content-type': contentType = '' } = response.headers
  return { status: response.statusCode, contentType, location, body: response.body }
}

/** Undoes what a row has begun, so that it can be asked again. */
const undo = async ({ app }: FakeApi, row: Endpoint, location: unknown): Promise<void> => {
  const send = (method: 'POST' | 'DELETE', url: string) => app.inject({ method, url, headers: { host: 'localhost' } })
  if (row.path.endsWith('/recording/start')) await send('POST', '/v1/streams/front/recording/stop')
  else if (row.path === '/v1/streams') await send('DELETE', '/v1/streams/random')
  else if (typeof location === 'string') await send('DELETE', location)
}

/** Stores the pipeline which the references show, unless it is there. */
const addGraph = ({ app }: FakeApi) =>
  app.inject({
    method: 'POST',
    url: '/v1/pipelines/graphs',
    headers: { host: 'localhost' },
    payload: { id: storedExample.id, ...defaultGraph },
  })

/** Has an update ready, which is not installed when it is applied: of one that was, the service would be restarted. */
const addNextUpdate = async ({ fake }: FakeApi): Promise<void> => {
  const updater = fake.directory.actor('update')
  assert.ok(updater)
  const is = (state: 'ready' | 'idle' | 'failed') => updater.getSnapshot().matches({ [state]: 'kept' })
  await until('the update before is over', () => is('ready') || is('idle') || is('failed'))
  if (!is('ready')) await addUpdate(fake)
  const backend = fake.resolve(UPDATE_BACKEND) as FakeUpdateBackend
  backend.fault = { code: 'device.failed', detail: 'the disk is gone' }
}

/** Trusts the device which the references show, unless that is so. */
const addTrust = ({ app }: FakeApi) =>
  app.inject({
    method: 'POST',
    url: '/v1/peers/trust',
    headers: { host: 'localhost' },
    payload: { name: trustExample.spec.name, fingerprint: trustExample.spec.fingerprint },
  })

/** Saves the animation which the references show. */
const addAnimation = ({ app }: FakeApi) =>
  app.inject({
    method: 'POST',
    url: '/v1/device/lighting/animations',
    headers: { host: 'localhost' },
    payload: animationExample,
  })

/** Declares the source of poses which the references show. */
const addSource = ({ app }: FakeApi) =>
  app.inject({
    method: 'PUT',
    url: '/v1/localization/external/sources/questnav',
    headers: { host: 'localhost' },
    payload: externalExample,
  })

/** Registers the peer which the references show, unless it is there. */
const addPeer = ({ app }: FakeApi) =>
  app.inject({
    method: 'POST',
    url: '/v1/peers',
    headers: { host: 'localhost' },
    payload: { base_url: ORIGIN },
  })

const OF_BUSY_MACHINES = ['localization_source_changed', 'localization_state_changed']

/** A machine too busy for a stream's frames tells of that; a pairing that an earlier request began ends by itself. */
const isOfTime = ({ kind, data }: { readonly kind: string; readonly data?: unknown }): boolean =>
  OF_BUSY_MACHINES.includes(kind) ||
  (kind === 'pairing_changed' && (data as { readonly state?: unknown } | null)?.state === 'failed')

/** What was announced. */
const announcedBy = ({ events, identity }: FakeApi['fake']['directory']) => {
  const told = events.since(0, identity.epoch)
  return told.type === 'events' ? told.events.filter((event) => !isOfTime(event)) : told
}

/** All that a request could have changed: what is stored, what was announced, what the engine was asked for. */
const traces = ({ fake }: FakeApi) => ({
  settings: fake.directory.settings.getSnapshot(),
  errors: fake.directory.errors.getSnapshot(),
  announced: announcedBy(fake.directory),
  pictures: fake.streams.get('front')?.viewers.pictures.wanted(),
  streams: fake.streams.all().map(({ id }) => id),
})

/** The number of keys of the widest object in a value. */
const widest = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Math.max(Array.isArray(value) ? 0 : Object.keys(value).length, ...Object.values(value).map(widest))
    : 0

const isTooLong = (row: Endpoint, body: unknown): boolean =>
  row.body !== undefined && JSON.stringify(body ?? null).length > row.body.maxBytes

const assertRefused = async (api: FakeApi, row: Endpoint, code: ClientCode, query: string, body?: unknown) => {
  const before = traces(api)
  const answered = await ask(api, row, query, body)
  if (isTooLong(row, body)) assertProblem(answered, 'body.too_large')
  else if (widest(body) > WIDEST) assertProblem(answered, 'body.malformed')
  else if (answered.body !== '') assertProblem(answered, code)
  else assert.ok(row.answer.endless && answered.contentType.startsWith('application/problem+json'))
  assert.deepEqual(traces(api), before)
}

const IN_2100_MS = Date.UTC(2100, 0) // what has passed already is refused

/** An edit that any picture has room for. */
const possible = (edit: Edit): Edit =>
  edit.op === 'crop' ? { ...edit, x_px: 0, y_px: 0, width_px: 1, height_px: 1 } : edit

const DISCOVERY = ['/v1/peers/probe', '/v1/peers/discover', '/v1/peers/integrations/extvision/streams']

/** Addresses that can be read as such, in whichever way they are given. */
const sensiblePlaces = ({ base_url, base_urls, host, ...rest }: Record<string, unknown>): object => {
  const place = (n: number) => `http://10.12.34.${n}:5800`
  if (base_urls !== undefined) return { ...rest, base_urls: (base_urls as readonly unknown[]).map((_, n) => place(n)) }
  if (host !== undefined || 'port' in rest) return { ...rest, host: NT4_HOST }
  return base_url === undefined ? rest : { base_url: place(1) }
}

/** What a schema cannot say of a body, made so; every field keeps what chance has given it where that is possible. */
const sensible = (row: Endpoint, sent: unknown, params: readonly unknown[]): unknown => {
  if (Array.isArray(sent)) return sent
  const { expected_revision: _rarelyRight, request_id: _rarelyNew, ...body } = sent as Record<string, unknown>
  if (row.path.endsWith('/snapshot')) return { ...body, ...('output' in body && { output: PICTURE_OUTPUT }) }
  if (DISCOVERY.includes(row.path)) return sensiblePlaces(body)
  if (row.path.startsWith('/v1/plugins/')) return sensibleToPlugins(row.path, body)
  if (row.body?.optional) return body
  const ofLocalization = sensibleLocalization(row.path, body)
  if (ofLocalization) return ofLocalization
  if (row.path === '/v1/device/imu') return { ...body, ...('imu' in body && { imu: FAKE_IMU.id }) } // one that is there
  if (row.path === '/v1/device/i2c/scan') return { ...body, adapter: 1 } // the bus that may be
  if (row.path === '/v1/peers/pairing') return { ...body, base_url: ORIGIN }
  if (row.path === '/v1/peers' || row.path.startsWith('/v1/peers/:')) return sensibleToPeer(row, body)
  if (row.path.endsWith('/commands')) return { request_id: ANOTHER_KEY, command: 'set_pose', payload: poseExample }
  if (row.path.endsWith('/graph/patch')) return UNCHANGING
  if (row.path === '/v1/streams/:id') return { ...body, patch: { alias: 'Bow', priority: 4 } } // of a manifest
  if (row.path === '/v1/nt4/topics') return { ...body, host: NT4_HOST }
  if (row.path === '/v1/nt4/value') return { ...body, host: NT4_HOST, topic: '/SmartDashboard/Auto' }
  if (row.path === '/v1/device/nt4') {
    const { team: _ofTheTarget, ...rest } = body
    return 'target' in body ? { ...rest, target: 'team:1234' } : body
  }
  const ofLights = sensibleToLights(row.path, body)
  if (ofLights) return ofLights
  const ofDevice = sensibleToDevice(row.path, body)
  if (ofDevice) return ofDevice
  if (row.path === '/v1/calibration/solve') return sensibleToSolve(body)
  if (row.path.endsWith('/calibration/save')) return sensibleToKeep(body)
  if (row.path.endsWith('/calibration/apply')) return { ...body, calibration_id: KEPT_CALIBRATION }
  if (row.path === '/v1/session') return { token: 'good-token' }
  if (row.path === '/v1/calibration/captures') return { ...body, stream_id: 'front' }
  if (row.path.endsWith('/pipelines/validate')) return 'stream_id' in body ? { ...body, stream_id: 'front' } : body
  if (row.path.endsWith('/image/edits')) return { edits: (body as { edits: Edit[] }).edits.map(possible) }
  if (row.path.endsWith('/pose')) return turnedOnce(body)
  if (row.path.endsWith('/crop')) return { ...CROP, ...(Number(body.width_px) > 0 && { width_px: 640 }) }
  if (row.path.endsWith('/bench/formats')) return { ...body, camera_uid: CAMERA }
  if (row.path === '/v1/peers/trust') return { ...body, ...('expires_at_ms' in body && { expires_at_ms: IN_2100_MS }) }
  if (row.path.endsWith('/assign')) return { camera_uid: CAMERA }
  if (row.path.endsWith('/:control_id')) return { value: Number(body.value) % 65 } // of brightness
  if (row.path.endsWith('/pipeline/graph')) return sensibleChange(body, params)
  if (row.path.endsWith('/pipeline/output')) return { port: body.port, from: 'tags.detections' }
  if (!/^\/v1\/streams(\/validate)?$/.test(row.path)) return body
  const { intrinsics, pipeline, source, camera_uid, slots, active_slot, own_pipeline, ...rest } = body as {
    source?: AnySource
    camera_uid?: string
    intrinsics?: { width_px: number; height_px: number }
    pipeline?: object
    slots?: readonly unknown[]
    active_slot?: number
    own_pipeline?: object
  }
  const graph = runnable(params)
  const lens = intrinsics && {
    fx_px: intrinsics.width_px,
    fy_px: intrinsics.width_px,
    cx_px: 0,
    cy_px: intrinsics.height_px,
    distortion: [],
  }
  const isBare = !source && camera_uid !== undefined
  return {
    ...rest,
    ...(isBare ? { camera_uid: CAMERA } : { source: sensibleSource(source ?? { backend: 'synthetic' }) }),
    id: 'random',
    ...('map_id' in rest && { map_id: 'demo' }),
    ...(lens && { intrinsics: { ...intrinsics, ...lens } }),
    ...(pipeline && { pipeline: graph }),
    ...(slots && { slots: slots.map((_, slot) => ({ slot, graph_id: storedExample.id })) }),
    ...(slots?.length && active_slot !== undefined && { active_slot: 0, ...(own_pipeline && { own_pipeline: graph }) }),
    ...('crop' in rest && { crop: CROP }),
  }
}

/** Of the package that is uploaded, which asks for one thing only. */
const sensibleToPlugins = (
  path: string,
  { grant, path: _of, url: _elsewhere, ...body }: Record<string, unknown>,
): object => ({
  ...body,
  ...(Array.isArray(grant) && { grant: grant.filter((each) => each === 'topics') }),
  ...(path.endsWith('/install') && { upload: uploadExample.upload }),
})

/** Of the switches, interfaces and targets that there are; undefined: it is for another row. */
const sensibleToDevice = (path: string, { stream_id, ...body }: Record<string, unknown>): object | undefined => {
  if (path === '/v1/device/usb-power') return { ...body, switch_id: USB_SWITCH, force: true }
  if (path === '/v1/device/ipa/ccm') return sensibleCcm(body)
  if (path === '/v1/device/network') return { interface: INTERFACE, method: 'dhcp' }
  if (path === '/v1/device/ide/projects') return { ...body, name: `p${keys++}` } // one that is not there
  if (path === '/v1/device/logs/sources') return { level: null, ...body }
  if (path !== '/v1/device/restart') return undefined
  return { ...body, ...(body.target === 'stream' && { stream_id: 'front' }) }
}

type AnyTrack = { readonly keyframes: readonly { readonly at: number }[] }

/** What there is to be shown, on the lights that there are, in its order; undefined: it is for another row. */
const sensibleToLights = (path: string, body: Record<string, unknown>): object | undefined => {
  if (path === '/v1/device/lighting/animations') {
    const tracks = (body.tracks as readonly AnyTrack[]).map(({ keyframes, ...track }) => ({
      ...track,
      keyframes: [...keyframes].sort((a, b) => a.at - b.at),
    }))
    return { ...body, tracks }
  }
  const shown = { command: 'animation', animation: 'breathe', parameters: { colour: '#ff8000' } }
  if (path === '/v1/device/lighting')
    return body.command === 'off' ? { ...body, group: 'ring' } : { ...body, ...shown, group: null }
  if (path !== '/v1/device/lighting/config') return undefined
  const { outputs, groups, signals, ...rest } = body
  const { outputs: ours, groups: named } = MADE_UP_LIGHTING
  const given = signals as Readonly<Record<string, object | null>> | undefined
  const signalled = Object.entries(given ?? {}).map(([name, show]) => [name, show && shown])
  return {
    ...rest,
    ...(outputs !== undefined && { outputs: ours }),
    ...(groups !== undefined && { groups: named }),
    ...('idle' in rest && { idle: shown }),
    ...(given && { signals: Object.fromEntries(signalled) }),
  }
}

/** Brought along, of the size of the stream, and good. */
const sensibleToKeep = ({ job_id, calibration, ...body }: Record<string, unknown>): object => {
  const { width_px, height_px, intrinsics } = calibrationExample
  return {
    ...body,
    calibration: {
      ...calibrationExample,
      ...(calibration as object),
      width_px,
      height_px,
      intrinsics,
      verdict: 'good',
    },
  }
}

const KEPT_CALIBRATION = 'cal-m4q2ptza'

/** Of the picture that is there. */
const sensibleToSolve = ({
  capture_id,
  pictures,
  board,
  leave_out,
  derive_from,
  ...body
}: Record<string, unknown>): object => ({
  ...body,
  media_ids: [mediaExample.name],
  ...('stream_id' in body && { stream_id: 'front' }),
})

/** Rows of a matrix sum to 1; the file is one that there is. What has been written can be removed. */
const sensibleCcm = ({ ccm = [], ct = 4000 }: Record<string, unknown>): object => {
  const [a = 0, b = 0] = (ccm as readonly number[]).map((each) => Math.max(-3, Math.min(3, each)))
  return { ct, ccm: [1 - a - b, a, b, 0, 1, 0, 0, 0, 1] }
}

/** Of a command and a patch most is for the peer to judge. An address leads to the one peer there is. */
const sensibleToPeer = (row: Endpoint, body: Record<string, unknown>): object => {
  if (row.path.endsWith('/commands')) return { request_id: 'one', command: 'set_pose' }
  if (row.path.endsWith('/graph/patch'))
    return { expected_pipeline_revision: 3, patch: [{ op: 'test', path: '/nodes/0/id', value: 'source' }] }
  if (row.path.endsWith('/pose')) return turnedOnce(body)
  const streams = body.streams as readonly object[] | undefined
  const reachable = streams && { streams: streams.map((each) => ({ ...each, url: 'http://10.0.0.9/stream' })) }
  return { ...body, base_url: ORIGIN, ...reachable }
}

/** One of the three things that it can be: a graph, a stored one for a slot, a slot that is never empty. */
const sensibleChange = (body: Record<string, unknown>, params: readonly unknown[]): object => {
  const { graph, graph_id, slot, activate } = body
  if (graph) return { graph: runnable(params) }
  const number = typeof slot === 'number' ? { slot } : {}
  if (graph_id || 'slot' in number)
    return { graph_id: storedExample.id, ...number, ...(activate !== undefined && { activate }) }
  return { slot: null }
}

/** The graph of every stream, with any parameters. params: of the node types, in their order. */
const runnable = (params: readonly unknown[]): object => {
  const types = Object.keys(nodeTypes)
  const nodes = defaultGraph.nodes.map((node) => ({
    ...node,
    params: accepted(node.type, params[types.indexOf(node.type)]),
  }))
  return { ...defaultGraph, nodes }
}

/** Without the parameter to which its type takes exception, though it fits its schema. */
const accepted = (type: string, params: unknown = {}): object => {
  const { params: schema, refusal } = nodeTypes[type] as NodeType
  const refused = refusal?.(filled(schema, params) as Readonly<Record<string, unknown>>)?.param
  return Object.fromEntries(Object.entries(params as object).filter(([name]) => name !== refused))
}

const NT4_HOST = '10.12.34.2' // the fake shows its topics at any
const CROP = { x_px: 0, y_px: 0, width_px: 32, height_px: 48 } // lies in any picture

/** A pose has one rotation, in one of two forms. */
const turnedOnce = ({ quaternion, roll_deg = 0, pitch_deg = 0, yaw_deg = 0, ...place }: Record<string, unknown>) =>
  quaternion ? { ...place, quaternion: { ...quaternion, w: 1 } } : { ...place, roll_deg, pitch_deg, yaw_deg }

interface AnySource {
  readonly backend: string
  readonly path?: string | readonly string[]
  readonly password?: string
}

const CAMERA = cameraExample.camera_uid // is plugged in
const TUNING_FILE = '/usr/share/libcamera/ipa/rpi/vc4/imx219.json' // of the fake
const USB_SWITCH = 'usb1' // of the fake, and its interface
const INTERFACE = 'eth0'

/** A change is tried until somebody confirms it, and there is one at a time. */
const ONE_AT_A_TIME = ['/v1/device/network', '/v1/device/network/confirm']

const sensibleSource = (source: AnySource): object => {
  const { backend, path, password } = source
  if (backend === 'v4l2') return { backend, camera_uid: CAMERA } // of its modes chance would find none
  if (backend === 'url') return { ...source, ...(password !== undefined && { username: 'team' }) }
  if (backend === 'peer') return { backend: 'synthetic' } // an order of its own makes those
  if (backend === 'file') return { backend, path: '/pictures/match.mp4' } // a recording that is named has to be there
  const placed = (_: unknown, n: number) => `/pictures/${n}.png` // inside the media root of the fake
  return { ...source, ...(path && { path: typeof path === 'string' ? '/pictures' : path.map(placed) }) }
}

/** A board for which any sheet has room, with markers if it is of the kind that has some. */
const sensibleBoard = ({ dictionary, layout, ...any }: Record<string, unknown>): object => ({
  ...any,
  ...('squares' in any && { squares: '10x7' }), // of which no kind looks the same upside down
  ...('square_mm' in any && { square_mm: 10 }),
  ...((any.kind ?? 'charuco') === 'charuco' && {
    ...(dictionary !== undefined && { dictionary }),
    ...(layout !== undefined && { layout }),
  }),
})

/** The file says how large its pictures are, and has one camera. */
const sensibleImport = ({ width_px: _, height_px: __, stream_id, ...any }: Record<string, unknown>): object => ({
  ...any,
  ...(stream_id !== undefined && { stream_id: 'front' }),
})

/**
 * A picture has neither results nor frames; an output that is a picture is not shown in H.264; most numbers are of no
 * slot.
 */
const asked = (row: Endpoint, query: object): object => {
  const { cursor: _neverGiven, ...any } = query as Record<string, unknown>
  if (/\/calibration\/board(\.pdf)?$/.test(row.path)) return sensibleBoard(any)
  if (row.path === '/v1/calibrations/import') return sensibleImport(any)
  if (row.path.endsWith('/export') && any.format === 'kalibr') return {} // which has no room for five coefficients
  if (row.path.endsWith('/pipeline-switch')) return { ...any, index: 0 }
  if ('output' in any) {
    const { codec: _ofTheCamera, ...ofTheOutput } = any
    return { ...ofTheOutput, output: PICTURE_OUTPUT }
  }
  if (row.path.startsWith('/v1/device/ipa')) {
    const { media_name: _inPlaceOfABody, stream_id: _too, ...sent } = any
    return { ...sent, ...('file' in any && { file: TUNING_FILE }) }
  }
  if (row.path === '/v1/device/ide/projects') return {} // there is none that could be named
  const { as: _ofRecordings, from_ms: _ofThese, ...ofPictures } = any
  return row.path === '/v1/media/:name' ? ofPictures : any
}

/**
 * What people note down about something has whatever keys they like, and so have messages of panels, and parameters of
 * nodes where a graph need not run.
 */
const strictIn = (row: Endpoint, body: unknown) => {
  // Whose operations may have more, says RFC 6902; one of a manifest is checked with that.
  const isPatch = row.path.endsWith('/graph/patch') || row.path === '/v1/streams/:id'
  const ofPanel = row.path.endsWith('/messages') ? 'message' : 'metadata'
  const free = row.path.startsWith('/v1/pipelines/') ? 'params' : isPatch ? 'patch' : ofPanel
  return objectsIn(body).filter((place) => !place.includes(free) && !place.includes('values')) // of reasons
}

const anyParams = fc.tuple(...Object.values(nodeTypes).map(({ params }) => fitting(params)))

for (const row of rows.filter(({ body }) => body)) {
  const { schema, invalid } = row.body as NonNullable<Endpoint['body']>
  const bodies = fc
    .tuple(fitting(schema), anyParams)
    .filter(([body]) => row.body?.optional || Object.keys(body as object).length > 0)
    .map(([body, params]) => sensible(row, body, params))

  if (!forCertificates.has(row.path) && !ONE_AT_A_TIME.includes(row.path))
    test(`${nameOf(row)} takes every body that fits`, async (t) => {
      const api = await busyApi(t)

      const property = fc.asyncProperty(bodies, async (body) => {
        if (!api.fake.streams.get('front')) await api.fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
        if (row.path === '/v1/jobs/:id') addJob(api.fake)
        if (row.path === '/v1/pipelines/graphs/:id') await addGraph(api)
        if (row.path === '/v1/calibration/captures/:id') await addCapture(api.fake)
        if (row.path === '/v1/peers/trust/:id') await addTrust(api)
        if (row.path === '/v1/peers/:id') await addPeer(api)
        if (row.path === '/v1/calibrations/:id') await addCalibration(api.fake)
        if (row.path.startsWith('/v1/media/')) await addMedia(api.fake)
        if (row.path.startsWith('/v1/ota/')) await addNextUpdate(api)
        if (row.path === '/v1/localization/external/sources/:id') await addSource(api)
        if (row.path === '/v1/device/lighting/animations/:name') await addAnimation(api)
        if (row.path === '/v1/plugins/:name') await addPlugin(api.fake, packageExample)
        if (/^\/v1\/localization\/surveys\/:id(\/undo)?$/.test(row.path)) await addSurvey(api.fake)
        const answered = await ask(api, row, '', body)
        assert.ok(answered.status < 300, answered.body)
        if (row.method === 'POST') await undo(api, row, answered.location)
      })

      await fc.assert(property, { seed: SEED, numRuns: shortOrLong(8, 40) })
      assert.deepEqual(api.bugs, [])
    })

  test(`${nameOf(row)} refuses every body that is padded, at whatever level`, async () => {
    const property = fc.asyncProperty(bodies, async (body) => {
      for (const place of strictIn(row, body))
        for (const count of PADDINGS) await assertRefused(shared, row, invalid, '', padded(body, place, count))
    })

    await fc.assert(property, { seed: SEED, numRuns: 2 })
    assert.deepEqual(shared.bugs, [])
  })

  test(`${nameOf(row)} refuses every body with one thing wrong, padded or not`, async () => {
    const property = fc.asyncProperty(bodies, fc.constantFrom(...PADDINGS), async (body, count) => {
      for (const [n, wrong] of spoilt(schema, body).entries()) {
        await assertRefused(shared, row, invalid, '', wrong)
        const [place] = n % 8 === 0 ? strictIn(row, wrong) : []
        if (place) await assertRefused(shared, row, invalid, '', padded(wrong, place, count))
      }
    })

    await fc.assert(property, { seed: SEED, numRuns: 2 })
    assert.deepEqual(shared.bugs, [])
  })
}

const queryText = (query: object): string =>
  Object.entries(query)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
    .join('&')

/** So many parameters that nobody knows, each of few characters: a URL has 8192. */
const padding = (count: number): string => Array.from({ length: count }, (_, n) => `u${n}`).join('&')

interface Parameter {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}

/** Texts that are no value of a parameter. */
const wrongTexts = ({ type, minimum, maximum, pattern }: Parameter): string[] => {
  const tooLong = 'x'.repeat(300)
  if (type === 'string') return pattern?.startsWith('^$|') ? [tooLong] : ['', tooLong] // nothing may stand for none
  const beyond = [minimum === undefined ? [] : minimum - 1, maximum === undefined ? [] : maximum + 1].flat().map(String)
  return [
    '',
    'x',
    'null',
    'NaN',
    'Infinity',
    '1e999',
    '0x10',
    ' 1',
    '1_0',
    'TRUE',
    '[]',
    ...(type === 'integer' ? ['1.5'] : []),
    ...beyond,
  ]
}

for (const row of rows) {
  test(`${nameOf(row)} refuses every query that is padded or has one thing wrong`, async () => {
    const names = Object.keys(row.query.properties)
    // else what nobody knows is ignored
    const paddings = 'additionalProperties' in row.query && row.query.additionalProperties === true ? [] : PADDINGS
    const body = row.body && sensible(row, row.body.example, [])

    const property = fc.asyncProperty(fitting(row.query), async (query) => {
      const text = queryText(query as object)
      for (const count of paddings)
        await assertRefused(shared, row, 'query.invalid', [text, padding(count)].join('&'), body)
      for (const name of names) {
        const { [name]: _replaced, ...others } = query as Record<string, unknown>
        for (const wrong of wrongTexts(row.query.properties[name] ?? {}))
          await assertRefused(shared, row, 'query.invalid', queryText({ ...others, [name]: wrong }), body)
        await assertRefused(shared, row, 'query.invalid', `${text}&${name}=1&${name}=1`, body)
      }
    })

    await fc.assert(property, { seed: SEED, numRuns: names.length === 0 ? 1 : 2 })
    assert.deepEqual(shared.bugs, [])
  })

  if (Object.keys(row.query.properties).length === 0) continue
  test(`${nameOf(row)} takes every query that fits`, async (t) => {
    const api = row.method === 'GET' ? shared : await busyApi(t)
    const needed = row.body && !row.body.optional ? sensible(row, row.body.example, []) : undefined

    const property = fc.asyncProperty(fitting(row.query), async (any) => {
      const answered = await ask(api, row, queryText(asked(row, any as object)), needed)
      if (row.feed) assertProblem(answered, 'upgrade.required')
      else if ('expected_revision' in (any as object)) assertProblem(answered, 'revision.stale')
      else assert.ok(answered.status < 300, answered.body)
    })

    await fc.assert(property, { seed: SEED, numRuns: shortOrLong(5, 20) })
    assert.deepEqual(api.bugs, [])
  })
}
