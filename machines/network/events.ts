// What is published about the networks of the device.
import { eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'

/** An interface, or a change of one, is different. */
export const networkChanged = eventKind({
  kind: 'network_changed',
  about: 'An interface has other addresses, a cable was plugged in or out, or a change of one is further than before.',
  reference: {},
  resource: 'GET /v1/device/network',
  data: Type.Object(
    { interfaces: Type.Array(Type.String(), { description: 'The names of those that are different.' }) },
    { additionalProperties: false, title: 'NetworkNews', description: 'What is to be read again.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { interfaces: ['eth0'] } },
})
