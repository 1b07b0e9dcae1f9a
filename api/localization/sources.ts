// The row of all outputs that say where something is: of streams, of other devices, of other programs.
import type { Static } from 'typebox'
import { DIRECTORY } from '../../actors/directory.ts'
import { EXTERNAL_SAMPLES, LOCALIZATION } from '../../actors/localization/tokens.ts'
import { PEER_REGISTRY } from '../../actors/peers/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { header } from '../../machines/engine/result.ts'
import { ExternalSourceId } from '../../machines/localization/external/names.ts'
import { SourceReason } from '../../machines/localization/source-reasons.ts'
import { PeerId } from '../../machines/peers/peer.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { orNull } from '../../machines/schema/or-null.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'
import { localizationOutputsOf } from '../../machines/stream/outputs.ts'
import type { Given } from '../../machines/token.ts'
import { list } from '../endpoints/list.ts'

/** The needs of the row. */
export const sourceNeeds = {
  directory: DIRECTORY,
  streams: STREAM_REGISTRY,
  peers: PEER_REGISTRY,
  localization: LOCALIZATION,
  external: EXTERNAL_SAMPLES,
}
type SourceParts = Given<typeof sourceNeeds>

const strict = { additionalProperties: false } as const

const shared = {
  output_key: Type.String({ description: 'Which of its outputs: what its path of outputs takes.' }),
  data_type: Type.String({ description: 'What its samples are.' }),
  age_ms: orNull(Type.Number(), 'How long ago the newest was taken; null: none has come, or it is not known here.'),
  used: Type.Boolean({ description: 'Whether it counts in the solve.' }),
  why_not: orNull(SourceReason, 'null: it does.'),
}

const OfStream = Type.Object(
  { source: Type.Literal('stream'), stream_id: StreamId, ...shared },
  { ...strict, title: 'StreamPlaceSource', description: 'An output of a stream of this device.' },
)
const OfPeer = Type.Object(
  { source: Type.Literal('peer'), peer_id: PeerId, ...shared },
  { ...strict, title: 'PeerPlaceSource', description: 'An output of another device.' },
)
const OfOther = Type.Object(
  { source: Type.Literal('external'), id: ExternalSourceId, ...shared },
  { ...strict, title: 'ExternalPlaceSource', description: 'An output of another program.' },
)

const Source = Type.Union([OfStream, OfPeer, OfOther], {
  title: 'LocalizationSource',
  description: 'An output that says where something is; whose it is is told by its `source`.',
})
type Source = Static<typeof Source>

/** The row. */
export const sourceRow = (parts: SourceParts) =>
  list('GET', '/v1/localization/sources', {
    name: 'LocalizationSourceList',
    summary: 'All outputs that say where a tag or the robot is',
    about: oneLine`
      \`localization_source_changed\` and \`external_output_changed\` tell when one comes, goes, becomes fresh or stale.
    `,
    item: Source,
    example: {
      source: 'stream',
      stream_id: 'front',
      output_key: 'pose',
      data_type: 'field_pose',
      age_ms: 31.5,
      used: true,
      why_not: null,
    },
    order: 'Those of the streams of this device, then those of other devices, then those of other programs.',
    items: () => [...ofStreams(parts), ...ofPeers(parts), ...ofOthers(parts)],
    keyOf: (source) => JSON.stringify([source.source, idOf(source), source.output_key]),
  })

const idOf = (source: Source): string =>
  source.source === 'stream' ? source.stream_id : source.source === 'peer' ? source.peer_id : source.id

const ofStreams = ({ directory: { clock }, streams, localization }: SourceParts): readonly Source[] => {
  const nowUs = clock.monotonicUs()
  const uses = new Map(localization.streams().map((use) => [use.streamId, use]))
  const isOff = localization.state() === 'off'
  return streams.all().flatMap((stream) => {
    const { value: result } = stream.results
    const age_ms = result ? (nowUs - header(result, 'captured_us')) / 1000 : null
    const use = uses.get(stream.id)
    const why_not = isOff ? 'off' : use ? use.reason : 'not_chosen'
    return localizationOutputsOf(stream.wanted.value).map(({ port, kind }) => ({
      source: 'stream' as const,
      stream_id: stream.id,
      output_key: port,
      data_type: kind,
      age_ms,
      used: why_not === null,
      why_not,
    }))
  })
}

const ofPeers = ({ peers }: SourceParts): readonly Source[] =>
  peers.all().flatMap((peer) =>
    peer.record().localization_outputs.map(({ stream_id, output_key, data_type }) => ({
      source: 'peer' as const,
      peer_id: peer.id,
      output_key: `${stream_id}.${output_key}`,
      data_type,
      age_ms: null,
      used: false,
      why_not: 'other_device' as const,
    })),
  )

const ofOthers = ({ directory: { clock }, external, localization }: SourceParts): readonly Source[] => {
  const nowUs = clock.monotonicUs()
  const isOff = localization.state() === 'off'
  return external.all().flatMap(({ id, spec, outputs }) =>
    spec.outputs.map(({ output_key, data_type }) => {
      const slot = outputs.get(output_key)
      const ageUs = slot?.ageUs(nowUs)
      const why_not = whyNot({ isOff, isShown: spec.use === 'show', ageUs, isFresh: slot?.fresh(nowUs) !== undefined })
      return {
        source: 'external' as const,
        id,
        output_key,
        data_type,
        age_ms: ageUs === undefined ? null : ageUs / 1000,
        used: why_not === null,
        why_not,
      }
    }),
  )
}

interface Usable {
  readonly isOff: boolean
  readonly isShown: boolean
  readonly ageUs: number | undefined
  readonly isFresh: boolean
}

const whyNot = ({ isOff, isShown, ageUs, isFresh }: Usable): SourceReason | null => {
  if (isShown) return 'only_shown'
  if (ageUs === undefined) return 'no_sample'
  if (!isFresh) return 'stale'
  return isOff ? 'off' : null
}
