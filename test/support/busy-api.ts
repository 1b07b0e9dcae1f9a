// The API on a fake device that has one live stream of whom everything can be asked.
import type { TestContext } from 'node:test'
import type { ApiParts } from '../../api/server/server.ts'
import { type FakeApi, fakeApi } from './api.ts'
import { packed, pictureOf } from './packed.ts'

/** A device whose stream `front` has a result, and gives a picture to whoever asks. */
export const busyApi = async (t: TestContext, parts: Partial<ApiParts> = {}): Promise<FakeApi> => {
  const api = await fakeApi(t, parts)
  const desk = await api.fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const nowUs = api.fake.directory.clock.monotonicUs()
  const rows = [{ field_robot_x_m: 1, field_robot_qw: 1, field_camera_qw: 1 }]
  desk.condition.set({ ...desk.status(nowUs), state: 'live' })
  desk.results.set(
    packed({ seq: 1, captured_us: nowUs - 9000, started_us: nowUs - 8000, finished_us: nowUs - 2000 }, [
      { port: 'tags', kind: 'detections', rows: [{ id: 3 }] },
      { port: 'pose', kind: 'field_pose', rows },
      { port: 'truth', kind: 'truth', rows },
    ]),
  )
  desk.pictures.subscribe(() => {
    for (const { key } of desk.pictures.wishes()) desk.pictures.deliver(pictureOf(key, 1, nowUs))
  })
  return api
}
