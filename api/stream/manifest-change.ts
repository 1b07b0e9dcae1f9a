// A change of the manifest of a stream as a whole. What may be done with streams is decided in machines/stream.
import { PIPELINE_ORDER } from '../../actors/stream/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { SchemaError } from '../../machines/schema/explain.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { changeOrder, type Expected, staleFault } from '../../machines/settings/commit.ts'
import { cameraInUse } from '../../machines/stream/assign.ts'
import { streamCollection } from '../../machines/stream/collection.ts'
import { streamChanged } from '../../machines/stream/events.ts'
import { completeManifest } from '../../machines/stream/orders.ts'
import { invalidManifest, patchedManifest } from '../../machines/stream/patched-manifest.ts'
import { attachedStreamOf } from '../../machines/stream/sources/traits.ts'
import { hasSamePipeline } from '../../machines/stream/what-runs.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { Given } from '../../machines/token.ts'
import { command } from '../endpoints/command.ts'
import { ofStream, ofStreamNeeds, planOf } from './of-stream.ts'
import { storedElsewhere } from './pipeline/graph.ts'
import { streamParams } from './wire.ts'
import { requestOf, writeNeeds } from './write.ts'

/** The needs of changes of a stream. */
export const changeNeeds = {
  ...ofStreamNeeds,
  ...writeNeeds,
  pipelineOrder: PIPELINE_ORDER,
}
type ChangeParts = Given<typeof changeNeeds>

/** What is to be changed of a manifest. */
export const ManifestPatch = Type.Object(
  {
    patch: Type.Record(Type.String(), Type.Unknown(), {
      description: oneLine`
        A JSON merge patch (RFC 7396) of the manifest. null gives a field its default again; what is left out stays as
        it is.
      `,
    }),
  },
  { additionalProperties: false, title: 'ManifestPatch', description: 'What is to be changed of a manifest.' },
)

/** The row that changes one. */
export const manifestRow = (parts: ChangeParts) =>
  command('PATCH', '/v1/streams/:id', {
    params: streamParams,
    summary: 'Change the manifest of a stream',
    about: oneLine`
      Its name, whether it runs, the mode of its camera, its map and whatever else stands in it; the result is checked
      like a new manifest. The id stays, and slots are changed at \`pipeline/graph\`. What the engine cannot take up as
      it runs has the camera opened again; viewers keep their connection. The same as the command
      \`apply_manifest_patch\` of another device.
    `,
    conditional: true,
    publishes: [streamChanged],
    to: 'settings',
    body: { schema: ManifestPatch, example: { patch: { alias: 'Bow', source: { fps: 60 } } } },
    send: ({ params, body: { patch }, administers, expected }) =>
      manifestChange(parts, params.id, { patch, administers, expected }),
    faults: ['stream.not_found', 'manifest.invalid', 'camera.in_use', 'pipeline.refused', 'pipeline.stored'],
  })

interface Wanted {
  /** RFC 7396. */
  readonly patch: Readonly<Record<string, unknown>>
  /** Whether its sender may have files read that lie anywhere. */
  readonly administers: boolean
  /** Whether another device sent it. */
  readonly isOfPeer?: boolean
  readonly expected: Expected
}

/**
 * The order that changes a manifest, checked like a new one; or why there is none to give. It holds for the manifest
 * that it was checked with: one that was changed meanwhile is `revision.stale`, whatever was expected.
 */
export const manifestChange = async (
  parts: ChangeParts,
  id: string,
  { patch, administers, expected, isOfPeer = false }: Wanted,
): Promise<Command<'settings'> | Fault> => {
  const stream = ofStream(parts, id, (found) => found)
  if (isFault(stream)) return stream
  const { stored } = stream
  const { value: before, revision } = stored
  const stale = staleFault(`${streamCollection.name}/${id}`, revision, expected)
  if (stale) return stale
  const elsewhere = Object.hasOwn(patch, 'pipeline') ? storedElsewhere(stream) : undefined
  if (elsewhere) return elsewhere
  const sent = patchedManifest(before, patch)
  if (isFault(sent)) return sent
  const attachedTo = attachedStreamOf(before.source) ?? null
  const had = { granted: before.media_grants, attachedTo }
  const after = completeManifest(await requestOf(parts, { body: sent, administers }, had))
  if (isFault(after)) return after
  if (isOfPeer && after.internal) return invalidManifest([INTERNAL])
  const taken = cameraInUse(after.source, others(parts, id))
  if (taken) return taken
  const found = { expected_revisions: [revision] }
  if (hasSamePipeline(before, after)) return changeOrder(streamCollection, id, () => after, found)
  const runs = planOf(parts)(after.pipeline)
  return parts.pipelineOrder(stream, { ...(runs.ok && { runs }), change: () => after }, found)
}

/** A device would take the stream from all devices, itself included, and could not give it back. */
const INTERNAL: SchemaError = {
  pointer: '/internal',
  message: 'is not set by another device: it would not see the stream any more; say it where the stream is',
}

const others = ({ streams }: ChangeParts, id: string) =>
  streams.all().flatMap((stream) => (stream.id === id ? [] : [stream.manifest]))
