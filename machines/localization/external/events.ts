// What is published about sources outside of the service.
import { documentEvent, eventKind } from '../../events/kind.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { ExternalSourceId, OutputKey } from './names.ts'

const strict = { additionalProperties: false } as const

/** An external source was declared, changed or removed. */
export const externalSourceChanged = documentEvent({
  kind: 'external_source_changed',
  about: 'A source of poses outside of this service was declared, changed or removed.',
  of: { field: 'source_id', id: ExternalSourceId, example: 'questnav' },
})

/** An output of an external source has become fresh, or stale. */
export const externalOutputChanged = eventKind({
  kind: 'external_output_changed',
  about: oneLine`
    Samples of an output of an external source have begun to come, or stopped coming: its newest one is older than
    \`max_age_ms\`. Told at most once a second of each output; samples themselves are not told.
  `,
  reference: { source_id: ExternalSourceId, output_id: OutputKey },
  data: Type.Object(
    { stale: Type.Boolean({ description: 'Whether the newest sample is too old.' }) },
    { ...strict, title: 'ExternalOutputChange', description: 'Whether samples come.' },
  ),
  revised: false,
  example: { resource_ref: { source_id: 'questnav', output_id: 'pose' }, data: { stale: true } },
})
