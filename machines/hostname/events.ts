// What is published about the name of the device.
import { eventKind } from '../events/kind.ts'
import Type from '../schema/type.ts'

/** The device has another name. */
export const hostnameChanged = eventKind({
  kind: 'hostname_changed',
  about: 'The device has another name, given here or by other means, which is noticed within ten seconds.',
  reference: {},
  data: Type.Object(
    { hostname: Type.String({ description: 'It is found under this name, and as `<name>.local`.' }) },
    { additionalProperties: false, title: 'HostnameNews', description: 'What the device is called now.' },
  ),
  revised: false,
  example: { resource_ref: {}, data: { hostname: 'front-camera' } },
})
