// What is published about tuning files.
import { eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'
import { TuningPath } from './ipa.ts'

/** A tuning file was changed. */
export const ipaChanged = eventKind({
  kind: 'ipa_changed',
  about: 'A copy of a tuning file was written or removed.',
  reference: {},
  resource: 'GET /v1/device/ipa',
  data: Type.Object(
    { file: TuningPath },
    { additionalProperties: false, title: 'IpaNews', description: 'Which file was changed.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { file: '/etc/libcamera/ipa/rpi/vc4/imx219.json' } },
})
