// The API of a service that has one live stream of whom everything can be asked, and one job that is done, one camera
// that is plugged in, and one device that is trusted.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import * as Effect from 'effect/Effect'
import { askNow } from '../../../actors/ask.ts'
import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import { CONSOLE_SESSIONS } from '../../../actors/console/console-sessions.ts'
import { JOBS } from '../../../actors/jobs/tokens.ts'
import { PEER_REGISTRY } from '../../../actors/peers/tokens.ts'
import { UPDATE_VIEW } from '../../../actors/update/tokens.ts'
import { cameraExample } from '../../../api/cameras/wire.ts'
import { externalExample } from '../../../api/localization/external.ts'
import { surveyExample } from '../../../api/localization/surveys.ts'
import { storedExample } from '../../../api/pipeline/wire.ts'
import type { ApiParts } from '../../../api/server/server.ts'
import { trustExample } from '../../../api/trust/wire.ts'
import { calibrationExample } from '../../../machines/calibration/calibration.ts'
import { captureSpecExample } from '../../../machines/calibration/capture/capture.ts'
import { captureCollection } from '../../../machines/calibration/capture/collection.ts'
import { calibrationCollection } from '../../../machines/calibration/collection.ts'
import { keysOf } from '../../../machines/cameras/keys.ts'
import { type CameraUnit, cameraCollection } from '../../../machines/cameras/unit.ts'
import { type Codecs, PICTURE_CODECS } from '../../../machines/codecs/codec.ts'
import { consoleSessionExample } from '../../../machines/console/session.ts'
import { jobExample } from '../../../machines/jobs/job.ts'
import { animationExample } from '../../../machines/lighting/animation.ts'
import {
  LIGHTING_DOCUMENT,
  lightingAnimationCollection,
  lightingConfigCollection,
} from '../../../machines/lighting/collections.ts'
import { externalSourceCollection } from '../../../machines/localization/external/source.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { surveyCollection } from '../../../machines/localization/rig-and-map/stored-survey.ts'
import { peerCollection } from '../../../machines/peers/peer.ts'
import { defaultGraph } from '../../../machines/pipeline/graph.ts'
import { graphCollection } from '../../../machines/pipeline/stored-graphs.ts'
import { PLUGIN_PANELS } from '../../../machines/plugins/panel/plugin-panels.ts'
import { putOrder } from '../../../machines/settings/commit.ts'
import { trustCollection } from '../../../machines/trust/trust-entry.ts'
import { FakeCalibration, fakeBoard } from '../../../native/calibration/fake.ts'
import { CALIBRATION } from '../../../native/calibration/port.ts'
import { type FakeCamera, FakeCameras } from '../../../native/cameras/fake.ts'
import { CAMERAS_PORT } from '../../../native/cameras/port.ts'
import { CLOCK } from '../../../native/clock/port.ts'
import { systemClock } from '../../../native/clock/system.ts'
import { fakeCodecs } from '../../../native/codecs/fake.ts'
import { CODECS } from '../../../native/codecs/port.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import { FakeImus } from '../../../native/imu/fake.ts'
import { IMU_DEVICES } from '../../../native/imu/port.ts'
import { mapHash } from '../../../native/localization/map-hash.ts'
import { FakePeerWire } from '../../../native/peers/fake.ts'
import { PEER_WIRE, type PeerTarget } from '../../../native/peers/port.ts'
import { BUNDLE_STORE } from '../../../native/update/port.ts'
import { type Branch, branch } from '../../../supervisors/composition/branch.ts'
import { type Binding, value } from '../../../supervisors/composition/container.ts'
import type { Lifetime } from '../lifetime.ts'
import { addMedia } from '../media/stored-media.ts'
import { nativeDevice, ORIGIN, obedient } from '../peers/peers.ts'
import { FIRST, PREVIEW_HEAD, pictureSource } from '../peers/picture-source.ts'
import { plainWire } from '../peers/plain-wire.ts'
import { addPlugin } from '../plugins/installed.ts'
import { packageOf } from '../plugins/packages.ts'
import type { FakeService } from '../service.ts'
import { until } from '../until.ts'
import { type FakeApi, fakeApi } from './api.ts'

const pose = { x_m: 1, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

/** Has a job that is done; the one which the references show. */
export const addJob = ({ resolve }: FakeService): void => {
  resolve(JOBS).store.trigger.ordered({ change: { type: 'accept', job: jobExample } })
}

/** Of the stream `front`: what its pipeline shows. */
export const PICTURE_OUTPUT = 'seen'

/** The stored pipeline of its slot 1. */
const OF_SLOT = 'by-number'

const PEER = 'back'

/** The example of the row that has it. */
const DISABLED_PLUGIN = 'quiet-panel'

/** Its stream `front` can be watched. */
const withPictures = (t: Lifetime, wire: FakePeerWire): FakePeerWire =>
  Object.assign(wire, {
    dial: (target: PeerTarget, limitMs: number) =>
      Effect.flatMap(
        Effect.promise(() =>
          pictureSource(t, (connection, request) => {
            if (request.startsWith('GET /v1/interdevice/streams/front/preview')) connection.write(PREVIEW_HEAD + FIRST)
            else connection.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
          }),
        ),
        (source) => plainWire().dial({ ...target, ...source.target }, limitMs),
      ),
  })

/** A peer that has a link, and does what it is asked for. */
const withPeer = (t: Lifetime) => {
  const wire = withPictures(t, new FakePeerWire())
  obedient(nativeDevice(wire).device)
  const document = { collection: peerCollection.name, id: PEER, value: { base_url: ORIGIN, token_version: 0 } }
  return { document, port: value(PEER_WIRE, wire) }
}

const FREE = { number: 0 }
const OF_STREAM = { number: 2, port: '2' }
const SIDE_UID = 'cam-side2345'

/**
 * Two cameras that were plugged in before the start, and are known: the one which the references show, and that of a
 * stream; two stored pipelines, a source outside of the service, and a peer.
 */
const withCameras = (t: Lifetime): { documents: FakeDocuments; ports: readonly Binding[] } => {
  const [cameras, documents, peer] = [new FakeCameras(), new FakeDocuments(), withPeer(t)]
  const unitOf = (camera_uid: string, camera: FakeCamera): CameraUnit => {
    const node = cameras.node(camera)
    return {
      camera_uid,
      name: cameraExample.name,
      ...keysOf(node),
      device: node.device,
      controls: [],
      claim: 0,
    }
  }
  const units = [unitOf(cameraExample.camera_uid, FREE), unitOf(SIDE_UID, OF_STREAM)]
  documents.documents = [
    ...units.map((unit) => ({ collection: cameraCollection.name, id: unit.camera_uid, value: unit })),
    ...[storedExample.id, OF_SLOT].map((id) => ({ collection: graphCollection.name, id, value: defaultGraph })),
    {
      collection: trustCollection.name,
      id: trustExample.id,
      value: { ...trustExample.spec, token_hash: null, created_at_ms: trustExample.status.created_at_ms },
    },
    { collection: externalSourceCollection.name, id: 'questnav', value: { ...externalExample, max_age_ms: 250 } },
    { collection: surveyCollection.name, id: 's1k2m3n4p', value: busySurvey },
    { collection: calibrationCollection.name, id: 'cal-m4q2ptza', value: calibrationExample },
    { collection: captureCollection.name, id: CAPTURE_ID, value: busyCapture },
    { collection: lightingConfigCollection.name, id: LIGHTING_DOCUMENT, value: busyLighting },
    { collection: lightingAnimationCollection.name, id: animationExample.name, value: animationExample },
    peer.document,
  ].map((document, n) => ({ ...document, place: BigInt(n + 1), revision: 1 }))
  for (const camera of [FREE, OF_STREAM]) cameras.plug(camera)
  return {
    documents,
    ports: [value(CAMERAS_PORT, cameras), value(CALIBRATION, seesBoard()), value(IMU_DEVICES, slowImu()), peer.port],
  }
}

/** It is being opened for ever: one that says nothing would be told of again and again. */
const slowImu = (): FakeImus => Object.assign(new FakeImus(), { open: () => Effect.never })

const CAPTURE_ID = 'cap-q3vbn7xd'

/** Of no board yet. */
const busyCapture = {
  ...captureSpecExample,
  stream_id: 'side',
  media_ids: [],
  board: null,
  width_px: null,
  height_px: null,
  pictures: [],
}

/** Nothing happens to it by itself: there is no server that the start would end with. */
const busyLighting = {
  gamma: 2.4,
  signals: { starting: null, link_lost: null, target_seen: null, update_runs: null },
}

/** Sees a board in a dozen pictures, whatever it is shown. */
const seesBoard = (): FakeCalibration => Object.assign(new FakeCalibration(), { board: fakeBoard(12) })

/** Of the field that is there. */
const busySurvey = {
  ...surveyExample,
  proposal: { ...surveyExample.proposal, map: { id: demoMap.id, hash: mapHash(demoMap) } },
}

/** Has the capture which the references show. */
export const addCapture = async ({ directory: { actor } }: FakeService): Promise<void> => {
  const settings = actor('settings')
  assert.ok(settings)
  await askNow(settings, putOrder(captureCollection, CAPTURE_ID, busyCapture))
}

/** Has the survey which the references show, with something of it accepted. */
export const addSurvey = async ({ directory: { actor } }: FakeService): Promise<void> => {
  const settings = actor('settings')
  assert.ok(settings)
  await askNow(settings, putOrder(surveyCollection, 's1k2m3n4p', busySurvey))
}

/** Has the calibration which the references show. */
export const addCalibration = async ({ directory: { actor } }: FakeService): Promise<void> => {
  const settings = actor('settings')
  assert.ok(settings)
  await askNow(settings, putOrder(calibrationCollection, 'cal-m4q2ptza', calibrationExample))
}

/** Has a stream of a camera, whose controls can be set. */
const addCameraStream = async ({ resolve, put, state }: FakeService): Promise<void> => {
  await until('the cameras', () => [cameraExample.camera_uid, SIDE_UID].every((uid) => resolve(CAMERAS).present(uid)))
  const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const
  await put({ id: 'side', source: { backend: 'v4l2', camera_uid: SIDE_UID, ...mode } })
  await state('side', 'live')
}

/** Has the console session which the references show. */
export const addConsole = async ({ resolve }: FakeService): Promise<void> => {
  const { up } = resolve(CONSOLE_SESSIONS).add({ ...consoleSessionExample, state: 'starting' })
  await up
}

/** What a row can only be asked for when something was ordered before, by path. */
export const beforehand: Readonly<Record<string, (fake: FakeService) => Promise<void>>> = {
  '/v1/device/network/confirm': async ({ directory: { actor } }) => {
    const network = actor('network')
    assert.ok(network)
    const change = { interface: 'eth0', method: 'static', address: '10.2.54.11', prefix: 24 } as const
    await until('the networks', () => network.getSnapshot().matches('idle'))
    await askNow(network, { type: 'network.change', change, over: '127.0.0.1' })
    await until('the change', () => network.getSnapshot().matches({ tried: 'in-force' }))
  },
}

/** Is being paired with its peer: both show a code. */
const addPairing = async ({ directory: { actor } }: FakeService): Promise<void> => {
  const pairing = actor('pairing')
  assert.ok(pairing)
  await askNow(pairing, { type: 'pairing.begin', callee: { base_url: ORIGIN, name: null } })
  await until('a code', () => pairing.getSnapshot().context.code)
}

/** Has an update that is ready to be applied. */
export const addUpdate = async ({ directory: { actor }, resolve }: FakeService): Promise<void> => {
  const updater = actor('update')
  assert.ok(updater)
  await until('the updater', () => !('code' in resolve(UPDATE_VIEW)()))
  const text = Buffer.from('vedette 1.5.0')
  const announced = { bytes: text.length, resumable: false }
  const begun = await askNow(updater, { type: 'update.receive', announced })
  assert.ok(begun.outcome === 'done' && begun.value)
  const { id } = begun.value
  await Effect.runPromise(resolve(BUNDLE_STORE).append(id, 0, Readable.from([text]), () => {}))
  await askNow(updater, { type: 'update.received', id })
  await until('an update', () => updater.getSnapshot().matches({ ready: 'kept' }))
}

/** The program of each plugin takes whatever its panels say. */
const withPanels = (): Branch =>
  branch({
    offers: [value(PLUGIN_PANELS, { send: () => undefined, listen: () => () => {}, listenToLines: () => () => {} })],
    needs: {},
    start: () => Effect.void,
  })

/** The plugin of the examples, with a panel and routes. */
const pluginWithPanel = (): Promise<Buffer> =>
  packageOf(
    {
      version: '1.2.0',
      permissions: ['topics'],
      program: { runtime: 'python', path: 'main.py' },
      provides: { panel: { title: 'Notes', folder: 'panel' }, routes: true },
    },
    { 'panel/index.html': '<!doctype html>', 'main.py': '' },
  )

/** What it says of its encoders: its engines have none. */
const codecs: Codecs = {
  ...PICTURE_CODECS,
  encoders: [{ codec: 'h264', media_type: 'video/h264', library: 'none', hardware: false }],
  note: null,
}

/** What a service makes of orders to its settings that all come before the first of them is written. */
export const orderedAtOnce = async <Answer>(
  { documents, directory }: FakeService,
  orders: readonly (() => Promise<Answer>)[],
): Promise<readonly Answer[]> => {
  const written = Promise.withResolvers<void>()
  documents.disk = Effect.promise(() => written.promise)
  const answers = orders.map((order) => order())
  await until(
    'the orders',
    () => directory.actor('settings')?.getSnapshot().context.waiting.length,
    (waiting) => waiting === orders.length,
  )
  written.resolve()
  return Promise.all(answers)
}

/**
 * A service whose stream `front` has results, and gives pictures to whoever asks; `side` has a camera. It ends with
 * the test, or, for tests that change nothing, with those of the file: `busyApi(fileLifetime())`.
 */
export const busyApi = async (t: Lifetime, parts: Partial<ApiParts> = {}): Promise<FakeApi> => {
  const { documents, ports } = withCameras(t)
  const api = await fakeApi(t, parts, {
    engines: fakeEngines({ nowUs: systemClock.monotonicUs }),
    documents,
    added: [withPanels()],
    ports: [value(CLOCK, systemClock), value(CODECS, { ...fakeCodecs(), found: async () => codecs }), ...ports],
  })
  const pipeline = { ...defaultGraph, outputs: [...defaultGraph.outputs, { port: PICTURE_OUTPUT, from: 'gray.image' }] }
  const slots = [{ slot: 1, graph_id: OF_SLOT }]
  const manifest = { id: 'front', source: { backend: 'synthetic' }, pose, rewind: {}, pipeline, slots } as const
  const stream = await api.fake.addStream(manifest)
  await api.fake.state('front', 'live')
  await until('a frame', () => stream.results.value)
  await until('the link', () => api.fake.resolve(PEER_REGISTRY).get(PEER)?.record().status === 'linked')
  await until('the lights', () => api.fake.directory.actor('lighting')?.getSnapshot().matches({ lit: 'shining' }))
  addJob(api.fake)
  await addMedia(api.fake)
  await addCameraStream(api.fake)
  await addPairing(api.fake)
  await addUpdate(api.fake)
  await addPlugin(api.fake, await pluginWithPanel())
  await addPlugin(api.fake, await packageOf({ name: DISABLED_PLUGIN }), false)
  await addConsole(api.fake)
  return api
}
