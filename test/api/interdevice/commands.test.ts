// What other devices have done with streams here.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import type { CameraControls } from '../../../actors/stream/camera-controls.ts'
import type { Problem } from '../../../api/problems/problem.ts'
import type { Control } from '../../../machines/engine/controls.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { SOURCE_COMMANDS, type StreamCommandAnswer } from '../../../machines/interdevice/command.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import type { EngineTask } from '../../../native/engine/port.ts'
import { MEDIA_STORE } from '../../../native/media/port.ts'
import { assertProblem, fakeApi } from '../../support/api/api.ts'
import { busyApi } from '../../support/api/busy-api.ts'

const pose = { x_m: 0.2, y_m: 0.1, z_m: 0.6, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 }
const headers = { host: 'localhost' }

const commanded = async (t: TestContext) => {
  const { app, fake } = await busyApi(t)
  let asked = 0
  const send = async (command: string, payload?: object, more: object = {}, id = 'front') => {
    const request_id = `request-${asked++}`
    const url = `/v1/interdevice/streams/${id}/commands`
    const response = await app.inject({
      method: 'POST',
      url,
      headers,
      payload: { request_id, command, ...(payload && { payload }), ...more },
    })
    return {
      status: response.statusCode,
      body: response.body,
      headers: response.headers,
      contentType: response.headers['content-type'] as string,
    }
  }
  const accepted = async (...args: Parameters<typeof send>): Promise<StreamCommandAnswer> => {
    const answer = await send(...args)
    assert.equal(answer.status, 200, answer.body)
    const document = JSON.parse(answer.body) as StreamCommandAnswer
    assert.equal(answer.headers.etag, `"${document.new_revision}"`)
    return document
  }
  const refused = async (code: Problem['code'], ...args: Parameters<typeof send>): Promise<Problem> => {
    const problem = assertProblem(await send(...args), code)
    assert.deepEqual([problem.accepted, problem.error], [false, { code, detail: problem.detail }])
    return problem
  }
  const manifest = (id = 'front') => fake.streams.get(id)?.manifest
  const revision = (id = 'front') => fake.streams.get(id)?.stored.revision as number
  return { app, fake, send, accepted, refused, manifest, revision }
}

const pointersOf = ({ errors }: Problem) => errors?.map(({ pointer }) => pointer)

test('a pose is set and cleared, and each answer has the revision after it', async (t) => {
  const { accepted, manifest, revision } = await commanded(t)

  const set = await accepted('set_pose', pose, { expected_revision: revision() })
  const between = manifest()?.pose
  const cleared = await accepted('clear_pose', undefined, { expected_revision: set.new_revision })

  assert.deepEqual(between, pose)
  assert.equal(manifest()?.pose, undefined)
  assert.deepEqual([set.accepted, cleared.new_revision], [true, revision()])
  assert.ok(cleared.applied_at_ms > 1_700_000_000_000)
})

test('a crop, another pipeline and another slot take the way of their own endpoints', async (t) => {
  const { accepted, manifest } = await commanded(t)
  const crop = { x_px: 320, y_px: 160, width_px: 640, height_px: 480 }

  const cropped = await accepted('set_crop', crop)
  await accepted('switch_pipeline', { graph_id: 'tags-near', slot: 2 })
  const slotted = manifest()
  await accepted('switch_pipeline', { slot: null })

  assert.deepEqual((cropped.result as { crop: object }).crop, crop)
  assert.deepEqual([manifest()?.crop, slotted?.active_slot, manifest()?.active_slot], [crop, 2, undefined])
})

test('a crop that is stored is accepted, also while the camera gives no pictures: the answer says so', async (t) => {
  const openFault = ({ crop }: EngineTask) =>
    crop ? ({ code: 'camera.lost', detail: 'it is gone' } as const) : undefined
  const clock = new FakeClock()
  const { app, fake } = await fakeApi(t, {}, { clock, engines: fakeEngines({ nowUs: clock.monotonicUs, openFault }) })
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  const payload = { x_px: 320, y_px: 160, width_px: 640, height_px: 480 }

  const sent = await app.inject({
    method: 'POST',
    url: '/v1/interdevice/streams/front/commands',
    headers,
    payload: { request_id: 'one', command: 'set_crop', payload },
  })

  const { accepted, new_revision, warning, result } = sent.json<StreamCommandAnswer>()
  assert.deepEqual(fake.streams.get('front')?.manifest.crop, payload)
  assert.deepEqual([sent.statusCode, accepted, new_revision, result], [200, true, 2, undefined])
  assert.deepEqual([warning?.code, /will be in force/.test(warning?.detail ?? '')], ['camera.failed', true])
})

test('of a command that nobody was heard of again it is not said that it was refused', async (t) => {
  const { fake, send } = await commanded(t)
  fake.documents.disk = Effect.never

  const { status, body } = await send('set_pose', pose)

  const { code, accepted, error } = JSON.parse(body)
  assert.deepEqual([status, code, accepted, error], [503, 'actor.timeout', undefined, undefined])
})

test('a control is set at the camera, and kept with it', async (t) => {
  const { accepted, refused, revision, fake } = await commanded(t)

  const answer = await accepted('set_control', { control_id: 9_963_776, value: 12 }, {}, 'side')
  const unknown = await refused('control.unknown', 'set_control', { control_id: 7, value: 12 }, {}, 'side')

  const unit = fake.resolve(CAMERAS).units.find(({ camera_uid }) => camera_uid === 'cam-side2345')
  assert.deepEqual(unit?.controls, [{ id: 9_963_776, value: 12 }])
  assert.deepEqual([answer.new_revision, unknown.new_revision], [revision('side'), revision('side')])
})

test('a control of which the camera takes another value is refused, and has the value of before again', async (t) => {
  const { refused, fake } = await commanded(t)
  const slot = fake.streams.get('side')?.engine.controls
  const camera = slot?.value as CameraControls
  const brightness = async () => {
    const list = (await camera.list()) as readonly Control[]
    return list.find(({ id }) => id === 9_963_776)?.value
  }
  slot?.set({
    list: camera.list,
    set: async (id, value) => {
      const outcome = await camera.set(id, value === 12 ? 13 : value)
      return value === 12
        ? { requested: 12, applied: 13, ok: false, code: 'control.adjusted', why: 'it took 13' }
        : outcome
    },
  })

  const { context } = await refused('control.adjusted', 'set_control', { control_id: 9_963_776, value: 12 }, {}, 'side')

  assert.deepEqual([context, await brightness()], [{ requested: 12, applied: 13, ok: false }, 0])
})

test('a control that cannot be stored is refused, and has the value of before again', async (t) => {
  const { app, refused, fake } = await commanded(t)
  const slot = fake.streams.get('side')?.engine.controls
  const camera = slot?.value as CameraControls
  const taken: number[] = []
  const takes = (then: () => unknown) =>
    slot?.set({
      list: camera.list,
      set: async (_id, value) => {
        taken.push(value)
        if (value === 12) await then()
        return { requested: value, applied: value, ok: true, code: null, why: null }
      },
    })
  const wanted = { control_id: 9_963_776, value: 12 }

  takes(() => {
    fake.documents.fault = { code: 'storage.full', detail: 'no room' }
  })
  await refused('storage.full', 'set_control', wanted, {}, 'side')
  fake.documents.fault = null
  takes(() => app.inject({ method: 'DELETE', url: '/v1/streams/side', headers }))
  await refused('camera.not_found', 'set_control', wanted, {}, 'side')

  assert.deepEqual(taken, [12, 0, 12, 0])
})

test('a recording is started and stopped, and a picture is kept: what was made is told', async (t) => {
  const { accepted, revision } = await commanded(t)
  const named = ({ result }: StreamCommandAnswer) =>
    result as { name: string; kind: string; metadata: { note?: string } }

  const started = await accepted('start_recording', { name: 'Match 12' })
  const stopped = await accepted('stop_recording')
  const kept = await accepted('snapshot', { metadata: { note: 'by the red goal' } })

  assert.match(named(started).name, /^match-12.*\.mp4$/)
  assert.deepEqual([stopped.result, stopped.new_revision], [undefined, revision()])
  assert.deepEqual([named(kept).kind, named(kept).metadata.note], ['picture', 'by the red goal'])
})

test('to stop what is not being recorded is done at once, as at the endpoint', async (t) => {
  const { accepted, revision } = await commanded(t)

  const never = await accepted('stop_recording')
  await accepted('start_recording')
  await accepted('stop_recording')
  const twice = await accepted('stop_recording')

  for (const { accepted: isDone, new_revision, applied_at_ms } of [never, twice]) {
    assert.deepEqual([isDone, new_revision], [true, revision()])
    assert.ok(applied_at_ms > 0)
  }
})

test('a command done but not answered is answered with its own time, and its picture is kept once', async (t) => {
  const { send, accepted, fake } = await commanded(t)
  const again = { request_id: 'again' }
  const store = fake.resolve(MEDIA_STORE)
  const page = await store.page({ order: '-created', limit: 9 })
  assert.ok(!isFault(page))

  const kept = await accepted('snapshot', { metadata: { note: 'by the red goal' } }, again)
  const written = fake.documents.requests.get('nobody again')
  assert.ok(written?.written)
  // As a process leaves it that was killed right then, an hour ago.
  const hourAgoMs = written.written.at_ms - 3_600_000
  fake.documents.requests.set('nobody again', {
    ...written,
    written: { ...written.written, at_ms: hourAgoMs },
    answer: null,
  })
  const repeated = await send('snapshot', { metadata: { note: 'by the red goal' } }, again)

  const after = await store.page({ order: '-created', limit: 9 })
  assert.ok(!isFault(after))
  assert.equal(after.items.length, page.items.length + 1)
  assert.deepEqual(JSON.parse(repeated.body), { ...kept, applied_at_ms: hourAgoMs })
})

test('a patch changes what it says of a manifest, and it is checked like a new one', async (t) => {
  const { accepted, refused, manifest, fake } = await commanded(t)
  const patch = (change: object) => ['apply_manifest_patch', { patch: change }] as const
  const before = manifest()

  await accepted(...patch({ alias: 'Bow', priority: 9, pose: null, source: { fps: 15 } }))
  const after = manifest()
  const kept = await refused('manifest.invalid', ...patch({ id: 'side' }))
  const hidden = await refused('manifest.invalid', ...patch({ internal: true }))
  const strange = await refused('manifest.invalid', ...patch({ map_id: 'nowhere' }))
  const broken = await refused(
    'manifest.invalid',
    ...patch({ pipeline: { outputs: [{ port: 'tea', from: 'teapot.tea' }] } }),
  )
  const taken = await refused('camera.in_use', ...patch({ source: { backend: 'v4l2', camera_uid: 'cam-side2345' } }))

  assert.deepEqual([after?.alias, after?.priority, after?.pose, after?.rewind], ['Bow', 9, undefined, before?.rewind])
  assert.deepEqual(after?.source, { ...before?.source, fps: 15 })
  assert.deepEqual(pointersOf(kept), ['/payload/patch/id'])
  assert.deepEqual(pointersOf(hidden), ['/payload/patch/internal'])
  assert.deepEqual(pointersOf(strange), ['/payload/patch/map_id'])
  assert.match(String(pointersOf(broken)), /^\/payload\/patch\/pipeline\/outputs\/0/)
  assert.match(taken.detail, /side/)
  assert.deepEqual(manifest(), after)
  assert.equal(fake.streams.all().length, 2)
})

test('a pipeline in a patch is tried by the engine before it is stored', async (t) => {
  const { accepted, refused, fake, manifest } = await commanded(t)
  const alone: StreamManifest['pipeline'] = { nodes: [{ id: 'source', type: 'source' }], edges: [], outputs: [] }
  const before = manifest()?.pipeline
  const stream = fake.streams.get('front')
  const engine = stream?.engine as object
  const refuses = async () => ({ code: 'engine.failed', detail: 'no memory' })
  Object.defineProperty(engine, 'tryPlan', { value: refuses, configurable: true })

  await refused('pipeline.refused', 'apply_manifest_patch', { patch: { pipeline: alone } })
  const meanwhile = manifest()?.pipeline
  Reflect.deleteProperty(engine, 'tryPlan')
  await accepted('apply_manifest_patch', { patch: { pipeline: alone } })

  assert.equal(meanwhile, before)
  assert.equal(manifest()?.pipeline.nodes.length, 1)
})

test('of a pipeline that is stored a patch changes nothing, and files are read only where they may be', async (t) => {
  const { accepted, refused } = await commanded(t)
  const images = { source: { backend: 'images', path: '/etc' } }

  await refused('manifest.invalid', 'apply_manifest_patch', { patch: images })
  await accepted('switch_pipeline', { graph_id: 'tags-near', slot: 0 })

  await refused('pipeline.stored', 'apply_manifest_patch', { patch: { pipeline: { name: 'Mine' } } })
})

test('a patch of a manifest that changes while it is checked is stale, and the other change is kept', async (t) => {
  const { send, accepted, manifest } = await commanded(t)

  const slow = send('apply_manifest_patch', { patch: { priority: 9 } })
  await accepted('set_pose', pose)
  const { status } = await slow

  assert.deepEqual(manifest()?.pose, pose)
  assert.ok(status === 409 || manifest()?.priority === 9)
})

for (const [command, payload] of [
  ['set_control', { control_id: 9_963_776, value: 12 }],
  ['apply_manifest_patch', { patch: { alias: 'Bow' } }],
  ['start_recording', {}],
  ['stop_recording', {}],
  ['snapshot', {}],
  ['set_crop', { x: 0, y: 0, width: 0.5, height: 0.5 }],
  ['set_pose', pose],
  ['clear_pose', {}],
  ['switch_pipeline', { slot: null }],
] as const)
  test(`${command} is not carried out on another revision than the one that was expected`, async (t) => {
    const { refused, fake, revision } = await commanded(t)
    const before = fake.documents.documents.length
    const id = command === 'set_control' ? 'side' : 'front'

    const { context, new_revision } = await refused('revision.stale', command, payload, { expected_revision: 999 }, id)

    assert.deepEqual([context, new_revision], [{ revision: revision(id) }, revision(id)])
    assert.equal(fake.documents.documents.length, before)
    assert.equal(fake.status(id)?.recording, null)
  })

test('a repeat is not carried out again and gets the first answer, a refusal too', async (t) => {
  const { send, revision } = await commanded(t)
  const once = { request_id: 'the-same', expected_revision: revision() }

  const answers = [await send('set_pose', pose, once), await send('set_pose', pose, once)]
  const other = await send('clear_pose', undefined, once)
  const stale = { request_id: 'stale', expected_revision: 1 }
  const refusals = [
    await send('set_pose', { ...pose, x_m: 9 }, stale),
    await send('set_pose', { ...pose, x_m: 9 }, stale),
  ]

  assert.deepEqual(answers[1]?.body, answers[0]?.body)
  assert.deepEqual(
    answers.map((each) => each.headers['idempotent-replayed']),
    [undefined, 'true'],
  )
  assert.equal(assertProblem(other, 'request_id.reused').accepted, false)
  assert.equal(refusals[1]?.body.includes('"accepted":false'), true)
  assert.deepEqual(
    refusals.map((each) => each.status),
    [409, 409],
  )
})

test('what is no command here is refused with those that are, and set_compute with why', async (t) => {
  const { refused } = await commanded(t)

  const unknown = await refused('body.invalid', 'fly')
  const compute = await refused('body.invalid', 'set_compute', { mode: 'local_attach' })

  for (const problem of [unknown, compute]) {
    assert.deepEqual(pointersOf(problem), ['/command'])
    for (const command of SOURCE_COMMANDS) assert.ok(problem.detail.includes(command), command)
  }
  assert.match(compute.detail, /device that watches/)
})

test('a payload that does not fit is refused with its place', async (t) => {
  const { refused, revision } = await commanded(t)

  const missing = await refused('body.invalid', 'set_control', { value: 12 })
  const nested = await refused('body.invalid', 'set_pose', { ...pose, x_m: 'far' })
  const extra = await refused('body.invalid', 'stop_recording', { now: true })
  const turned = await refused('body.invalid', 'set_pose', { x_m: 0, y_m: 0, z_m: 0 })

  assert.deepEqual(pointersOf(missing), ['/payload/control_id'])
  assert.deepEqual(pointersOf(nested), ['/payload/x_m'])
  assert.deepEqual(pointersOf(extra), ['/payload/now'])
  assert.equal(pointersOf(turned)?.[0], '/payload/roll_deg')
  assert.equal(missing.new_revision, revision())
})

test('an internal stream is as unknown as one that is not there', async (t) => {
  const { refused, fake } = await commanded(t)
  await fake.put({ id: 'front', internal: true, source: { backend: 'synthetic' } })

  const internal = await refused('stream.not_found', 'set_pose', pose)
  const unknown = await refused('stream.not_found', 'set_pose', pose, {}, 'nobody')

  assert.equal(internal.detail.replace('front', 'nobody'), unknown.detail)
  assert.deepEqual([internal.new_revision, unknown.new_revision], [undefined, undefined])
})

test('a stream that is switched off can be switched on again', async (t) => {
  const { accepted, fake } = await commanded(t)

  await accepted('apply_manifest_patch', { patch: { enabled: false } })
  const off = fake.status('front')?.state
  await accepted('apply_manifest_patch', { patch: { enabled: true } })

  assert.equal(off, 'disabled')
  await fake.state('front', 'live')
})
