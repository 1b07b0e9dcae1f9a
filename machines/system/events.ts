// What is published about the condition of the device.
import { eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { SlowedBy } from './metrics.ts'

const strict = { additionalProperties: false } as const

/** The supply became weak, or is well again. */
export const powerChanged = eventKind({
  kind: 'power_changed',
  about: oneLine`
    The supply of the device became too weak, or has been well again for five seconds. It is looked at every ten
    seconds, and every second while somebody asks how the device does.
  `,
  reference: {},
  data: Type.Object(
    {
      under_voltage: Type.Boolean({ description: 'Whether the supply is too weak.' }),
      times: Type.Integer({ minimum: 0, description: 'How often it became so since the service was started.' }),
    },
    { ...strict, title: 'PowerNews', description: 'How the supply of the device is now.' },
  ),
  revised: false,
  resource: 'GET /v1/device/power',
  example: { resource_ref: {}, data: { under_voltage: true, times: 1 } },
})

/** The processor is slowed down, or not any more. */
export const throttlingChanged = eventKind({
  kind: 'throttling_changed',
  about: 'The processor is slowed down, for another reason than before, or has not been for five seconds.',
  reference: {},
  data: Type.Object(
    {
      slowed: Type.Boolean({ description: 'Whether it is.' }),
      reasons: Type.Array(SlowedBy, { description: 'Why.' }),
    },
    { ...strict, title: 'ThrottlingNews', description: 'Whether the processor is slower than it could be.' },
  ),
  revised: false,
  resource: 'GET /v1/device/metrics',
  example: { resource_ref: {}, data: { slowed: true, reasons: ['temperature-limit'] } },
})
