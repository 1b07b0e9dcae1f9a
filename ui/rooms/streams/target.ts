// Where a change of a stream goes: to this device, or through it to the one that has the stream.
import { useMemo } from 'react'
import { type Answer, api, ask, type Documents, requestKey } from '../../api/client.ts'
import { peers } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { type AnyStream, isRemote } from '../../state/streams.ts'
import type { Control } from './control-groups.ts'

/** A part of the picture, in pixels or in shares of it. */
export type CropOrder = Documents['CropInputOrder']

/** The controls of a camera. */
export interface Controls {
  readonly controls: readonly Control[]
}

/** Everything that can be ordered of a stream. Each answer has the revision of the device that has it. */
export interface StreamTarget {
  /** As the list of streams has it. */
  readonly id: string
  /** The device that has the stream, when it is not this one. */
  readonly device: string | undefined
  /** Whether an event is one of this stream. */
  readonly heeds: (ref: Readonly<Record<string, string>>) => boolean
  readonly readControls: () => Promise<Answer<Controls>>
  readonly setControl: (controlId: number, value: number) => Promise<Answer<unknown>>
  readonly setCrop: (crop: CropOrder) => Promise<Answer<unknown>>
  readonly setPose: (pose: Documents['Pose'] | null, expected: number) => Promise<Answer<unknown>>
  readonly setPipeline: (change: PipelineChange) => Promise<Answer<unknown>>
  /** A merge patch of its manifest. */
  readonly change: (patch: object, expected?: number) => Promise<Answer<unknown>>
  readonly snapshot: () => Promise<Answer<MediaItem>>
  /** hasRewind: it begins with what the stream has kept. */
  readonly startRecording: () => Promise<Answer<MediaItem>>
  /** Keeps the last seconds; done when the file is whole. */
  readonly keepRewind: () => Promise<Answer<MediaItem>>
  readonly stopRecording: () => Promise<Answer<unknown>>
}

type MediaItem = Documents['MediaItem']

/** Another pipeline, or another slot. */
export type PipelineChange = Pick<Documents['PipelineChangeOrder'], 'graph_id' | 'slot' | 'activate' | 'trial_s'>

const expecting = (expected: number | undefined) => (expected === undefined ? {} : { expected_revision: expected })

const ownTarget = (id: string): StreamTarget => {
  const params = { path: { id } }
  return {
    id,
    device: undefined,
    heeds: ({ stream_id, peer_id }) => stream_id === id && peer_id === undefined,
    readControls: () => ask(api.GET('/v1/streams/{id}/controls', { params })),
    setControl: (control_id, value) =>
      ask(
        api.POST('/v1/streams/{id}/controls/{control_id}', {
          params: { path: { id, control_id } },
          body: { value },
        }),
      ),
    setCrop: (body) => ask(api.POST('/v1/streams/{id}/crop', { params, body })),
    setPose: (pose, expected) =>
      pose
        ? ask(api.PUT('/v1/streams/{id}/pose', { params, body: { ...pose, ...expecting(expected) } }))
        : ask(api.DELETE('/v1/streams/{id}/pose', { params, body: expecting(expected) })),
    setPipeline: (body) => ask(api.POST('/v1/streams/{id}/pipeline/graph', { params, body })),
    change: (patch, expected) =>
      ask(api.PATCH('/v1/streams/{id}', { params, body: { patch: { ...patch }, ...expecting(expected) } })),
    snapshot: () => ask(api.POST('/v1/streams/{id}/snapshot', { params, body: {} })) as Promise<Answer<MediaItem>>,
    startRecording: () => ask(api.POST('/v1/streams/{id}/recording/start', { params, body: {} })),
    keepRewind: () => ask(api.POST('/v1/streams/{id}/recording/start', { params, body: { only_rewind: true } })),
    stopRecording: () => ask(api.POST('/v1/streams/{id}/recording/stop', { params, body: {} })),
  }
}

const remoteTarget = (id: string, peer_id: string, remote_stream_id: string, device: string): StreamTarget => {
  const params = { path: { peer_id, remote_stream_id } }
  const command = async <T>(name: string, payload: object, expected?: number): Promise<Answer<T>> => {
    const answer = await ask(
      api.POST('/v1/peers/{peer_id}/streams/{remote_stream_id}/commands', {
        params,
        body: { request_id: requestKey(), command: name, payload: { ...payload }, ...expecting(expected) },
      }),
    )
    if (!answer.ok) return answer
    const { result, new_revision, warning } = answer.value
    if (warning) return { ok: false, problem: warning, status: 200 } // it is stored, and does not work
    return { ok: true, value: result as T, revision: new_revision }
  }
  return {
    id,
    device,
    heeds: (ref) => ref.peer_id === peer_id && ref.stream_id === remote_stream_id,
    readControls: () => ask(api.GET('/v1/peers/{peer_id}/streams/{remote_stream_id}/controls', { params })),
    setControl: (control_id, value) => command('set_control', { control_id, value }),
    setCrop: ({ expected_revision, ...crop }) => command('set_crop', crop, expected_revision),
    setPose: (pose, expected) => (pose ? command('set_pose', pose, expected) : command('clear_pose', {}, expected)),
    setPipeline: (change) => command('switch_pipeline', change),
    change: (patch, expected) => command('apply_manifest_patch', { patch }, expected),
    snapshot: () => command('snapshot', {}),
    startRecording: () => command('start_recording', {}),
    keepRewind: () => command('start_recording', { only_rewind: true }),
    stopRecording: () => command('stop_recording', {}),
  }
}

/** The name of the device that has a stream; undefined: this one. */
export const useDeviceOf = (stream: AnyStream): string | undefined =>
  useKnownOf(peers, ({ value }) => {
    if (!isRemote(stream)) return undefined
    const { peer_id } = stream.origin
    return value?.find(({ id }) => id === peer_id)?.name ?? peer_id
  })

/** Where the changes of a stream go. */
export const useTarget = (stream: AnyStream): StreamTarget => {
  const device = useDeviceOf(stream)
  const { id, spec } = stream
  const peerId = isRemote(stream) ? stream.origin.peer_id : undefined
  return useMemo(
    () => (peerId === undefined ? ownTarget(id) : remoteTarget(id, peerId, spec.id, device ?? peerId)),
    [id, peerId, spec.id, device],
  )
}
