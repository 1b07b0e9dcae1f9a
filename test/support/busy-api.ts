// The API of a service that has one live stream of whom everything can be asked, and one job that is done, and one camera that is plugged in.
import type { TestContext } from 'node:test'
import { askNow } from '../../actors/ask.ts'
import { CAMERAS } from '../../actors/cameras/tokens.ts'
import { JOBS } from '../../actors/jobs/tokens.ts'
import { cameraExample } from '../../api/cameras/wire.ts'
import type { ApiParts } from '../../api/server/server.ts'
import { keysOf } from '../../machines/cameras/keys.ts'
import { cameraCollection } from '../../machines/cameras/unit.ts'
import { jobExample } from '../../machines/jobs/job.ts'
import { putOrder } from '../../machines/settings/commit.ts'
import type { ActorNamed } from '../../machines/supervision/actors.ts'
import type { FakeCameras } from '../../native/cameras/fake.ts'
import { CAMERAS_PORT } from '../../native/cameras/port.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { systemClock } from '../../native/clock/system.ts'
import { fakeEngines } from '../../native/engine/fake/fake.ts'
import { value } from '../../supervisors/composition/container.ts'
import { type FakeApi, fakeApi } from './api.ts'
import type { FakeService } from './service.ts'
import { addMedia } from './stored-media.ts'
import { until } from './until.ts'

const pose = { x_m: 1, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

/** Has a job that is done; the one which the references show. */
export const addJob = ({ resolve }: FakeService): void => {
  resolve(JOBS).store.trigger.ordered({ change: { type: 'accept', job: jobExample } })
}

/** Has a camera that nobody uses; the one which the references show. */
export const addCamera = async ({ resolve, directory }: FakeService): Promise<void> => {
  const port = resolve(CAMERAS_PORT) as FakeCameras
  const node = port.node({ number: 0 })
  const unit = { camera_uid: cameraExample.camera_uid, name: cameraExample.name, ...keysOf(node) }
  const order = putOrder(cameraCollection, unit.camera_uid, { ...unit, device: node.device, controls: [], claim: 0 })
  await askNow(directory.actor('settings') as ActorNamed<'settings'>, order)
  port.plug({ number: 0 })
  await until('the camera', () => resolve(CAMERAS).present(unit.camera_uid))
}

/** Has a stream of another camera, whose controls can be set. */
const addCameraStream = async ({ resolve, put, state }: FakeService): Promise<void> => {
  const port = resolve(CAMERAS_PORT) as FakeCameras
  const device = port.plug({ number: 2, port: '2' })
  const cameras = resolve(CAMERAS)
  const present = () => cameras.recognised.present.find(({ node }) => node.device === device)
  const camera = await until('the camera of a stream', present)
  const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const
  await put({ id: 'side', source: { backend: 'v4l2', camera_uid: camera?.unit.camera_uid ?? '', ...mode } })
  await state('side', 'live')
}

/** A service whose stream `front` has results, and gives pictures to whoever asks; `side` has a camera. */
export const busyApi = async (t: TestContext, parts: Partial<ApiParts> = {}): Promise<FakeApi> => {
  const api = await fakeApi(t, parts, { engines: fakeEngines(), ports: [value(CLOCK, systemClock)] })
  const stream = await api.fake.addStream({ id: 'front', source: { backend: 'synthetic' }, pose })
  await api.fake.state('front', 'live')
  await until('a frame', () => stream.results.value)
  addJob(api.fake)
  await addCamera(api.fake)
  await addMedia(api.fake)
  await addCameraStream(api.fake)
  return api
}
