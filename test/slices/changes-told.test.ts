// What changes by itself, on the service as it is: each is told, as its kind says, and with what can be read.
import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { JOBS } from '../../actors/jobs/tokens.ts'
import type { EventDocument } from '../../machines/events/event.ts'
import { eventSchema } from '../../machines/events/event.ts'
import { EVENT_KINDS } from '../../machines/events/kind.ts'
import { jobExample, newJob } from '../../machines/jobs/job.ts'
import { demoMap } from '../../machines/localization/field-map.ts'
import { builtInMaps } from '../../machines/localization/maps/built-in.ts'
import { validatorOf } from '../../machines/schema/errors.ts'
import { FakeHostname } from '../../native/hostname/fake.ts'
import { HOSTNAME } from '../../native/hostname/port.ts'
import { fieldMapFiles } from '../../native/localization/files.ts'
import { USER_MAPS } from '../../native/localization/port.ts'
import { value } from '../../supervisors/composition/container.ts'
import { listeningApi } from '../support/api/api.ts'
import { listenToEvents } from '../support/api/event-listener.ts'
import { folderOf } from '../support/processes/folder.ts'
import { until } from '../support/until.ts'

/** A job that waits. */
const openJob = newJob(jobExample)

/** A device with a folder for maps and a name, and a client that hears what is told. */
const heardDevice = async (t: TestContext) => {
  const folder = folderOf(t)
  const hostname = new FakeHostname()
  const ports = [value(USER_MAPS, fieldMapFiles(folder)), value(HOSTNAME, hostname)]
  const { url, fake } = await listeningApi(t, {}, { ports })
  const { messages } = await listenToEvents(t, url)
  const misfits = new Map(fake.resolve(EVENT_KINDS).map((kind) => [kind.kind, validatorOf(eventSchema(kind))]))
  /** The events of a kind so far. */
  const told = (kind: string): readonly EventDocument[] => {
    const events = messages.filter((each) => each.kind === kind) as readonly EventDocument[]
    for (const event of events) assert.deepEqual(misfits.get(kind)?.(event), [], kind)
    return events
  }
  return {
    url,
    fake,
    folder,
    hostname,
    told,
    data: <Data>(kind: string) => told(kind).map(({ data }) => data as Data),
    ask: async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
      const response = await fetch(url + path, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      return (response.status === 204 ? undefined : await response.json()) as Answer
    },
  }
}

type Recording = { readonly state: string; readonly name: string } | null
interface RecordingChange {
  readonly recording: Recording
  readonly fault: { readonly code: string } | null
}

test('a recording is told of from its start to its end, with its file, which is told of with its stream', async (t) => {
  const { fake, ask, data } = await heardDevice(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  fake.engine('front').showFrame()
  await fake.state('front', 'live')

  const { name } = await ask<{ name: string }>('POST', '/v1/streams/front/recording/start')
  await until(
    'the recording',
    () => data<RecordingChange>('recording_changed').at(-1)?.recording?.state === 'recording',
  )
  const { status } = await ask<{ status: { recording: Recording } }>('GET', '/v1/streams/front')
  const during = data<RecordingChange>('recording_changed').at(-1)
  fake.engine('front').showFrame()
  await ask('POST', '/v1/streams/front/recording/stop')
  await until('its end', () => data<RecordingChange>('recording_changed').at(-1)?.recording === null)

  assert.deepEqual(
    data<RecordingChange>('recording_changed').map(({ recording }) => recording?.state ?? null),
    ['starting', 'recording', 'stopping', null],
  )
  assert.deepEqual([during?.recording, during?.recording?.name], [status.recording, name])
  const [begun, whole] = data<{ stream_id: string; state: string; size_bytes: number }>('media_changed')
  assert.deepEqual([begun?.stream_id, begun?.state, begun?.size_bytes], ['front', 'writing', 0])
  assert.deepEqual([whole?.stream_id, whole?.state], ['front', 'ready'])
  assert.ok(whole && whole.size_bytes > 0)
})

test('a recording that ends by itself is told of with the reason', async (t) => {
  const { fake, ask, data } = await heardDevice(t)
  await fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  fake.engine('front').showFrame()
  await fake.state('front', 'live')
  await ask('POST', '/v1/streams/front/recording/start')

  fake.engine('front').endRecording({ code: 'storage.full', detail: 'the storage is full' })

  await until('its fault', () => data<RecordingChange>('recording_changed').at(-1)?.recording?.state === 'failed')
  assert.equal(data<RecordingChange>('recording_changed').at(-1)?.fault?.code, 'storage.full')
})

test('a part that fails is told of with its fault, and again when it has recovered', async (t) => {
  const { ask, hostname, data, told } = await heardDevice(t)
  hostname.fault = { code: 'device.failed', detail: 'it may not' }

  await ask('POST', '/v1/device/hostname', { hostname: 'front' })
  await until('its fault', () => told('health_changed').length === 1)
  const health = await ask<{ status: string; parts: readonly { name: string }[] }>('GET', '/v1/health')
  hostname.fault = null
  await ask('POST', '/v1/device/hostname', { hostname: 'front' })
  await until('its recovery', () => told('health_changed').length === 2)

  const [fallen, risen] = data<{ status: string; part: { name: string; fault: unknown } }>('health_changed')
  assert.deepEqual(
    fallen?.part,
    health.parts.find(({ name }) => name === 'hostname'),
  )
  assert.deepEqual([fallen?.status, health.status], ['degraded', 'degraded'])
  assert.deepEqual([risen?.status, risen?.part.fault], ['ok', null])
  assert.deepEqual(told('health_changed')[0]?.resource_ref, { part_name: 'hostname' })
})

test('another name of the device is told of', async (t) => {
  const { ask, data } = await heardDevice(t)

  await ask('POST', '/v1/device/hostname', { hostname: 'Front-Camera' })

  await until('the name', () => data('hostname_changed').length === 1)
  assert.deepEqual(data('hostname_changed'), [{ hostname: 'front-camera' }])
})

test('a field map that comes is told of, and one that is the same is not', async (t) => {
  const { ask, folder, told } = await heardDevice(t)
  await ask('GET', '/v1/localization/maps')
  assert.equal(told('field_maps_changed').length, 0)

  writeFileSync(join(folder, 'new'), JSON.stringify({ ...demoMap, id: 'field' }))
  renameSync(join(folder, 'new'), join(folder, 'field.json'))

  await until('the news', () => told('field_maps_changed').length === 1)
  const { items } = await ask<{ items: readonly { id: string }[] }>('GET', '/v1/localization/maps')
  assert.deepEqual(
    items.map(({ id }) => id),
    [...builtInMaps.map(({ id }) => id), 'field'],
  )
  await ask('GET', '/v1/localization/maps')
  assert.equal(told('field_maps_changed').length, 1)
})

test('a stream, a peer and a job are told with their event as they are read, and what is long is not', async (t) => {
  const { fake, ask, told } = await heardDevice(t)
  const graph = (count: number) => ({
    nodes: [
      { id: 'source', type: 'source', params: {} },
      ...Array.from({ length: count }, (_, n) => ({ id: `tags${n}`, type: 'apriltag', params: {} })),
    ],
    edges: Array.from({ length: count }, (_, n) => ({ from: 'source.image', to: `tags${n}.image` })),
    outputs: Array.from({ length: count }, (_, n) => ({ port: `tags${n}`, from: `tags${n}.detections` })),
  })
  const resources = (kind: string) => told(kind).map((event) => (event as { resource?: { id: string } }).resource)

  const source = { backend: 'synthetic' }
  await ask('POST', '/v1/streams', { id: 'front', source, enabled: false })
  await ask('POST', '/v1/streams', { id: 'long', source, enabled: false, pipeline: graph(8) })
  await ask('DELETE', '/v1/streams/long')
  await ask('POST', '/v1/peers', { base_url: 'http://127.0.0.1:9', name: 'Back' })
  fake.resolve(JOBS).store.trigger.ordered({ change: { type: 'accept', job: openJob } })
  await until('all events', () => told('job_changed').length > 0 && told('peer_changed').length > 0, Boolean)

  assert.deepEqual(
    resources('stream_changed').map((resource) => resource?.id),
    ['front', undefined, undefined],
  )
  assert.deepEqual(resources('stream_changed')[0], await ask('GET', '/v1/streams/front'))
  assert.deepEqual(resources('job_changed')[0], await ask('GET', `/v1/jobs/${jobExample.id}`))
  assert.equal(
    resources('peer_changed')[0]?.id,
    (await ask<{ items: { id: string }[] }>('GET', '/v1/peers')).items[0]?.id,
  )
})

test('an event that is told later has no resource, which may be another by then', async (t) => {
  const { url, fake, ask } = await heardDevice(t)
  await ask('POST', '/v1/streams', { id: 'front', source: { backend: 'synthetic' }, enabled: false })

  const { messages } = await listenToEvents(t, url, `?since=0&epoch=${fake.directory.identity.epoch}`)
  const event = () => messages.find(({ kind }) => kind === 'stream_changed')
  await until('what was missed', event)

  assert.equal('resource' in (event() ?? {}), false)
})
