// The host name of the device.

import type { Directory } from '../../actors/directory.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { hostnameChanged } from '../../machines/hostname/events.ts'
import { canonicalHostname, Hostname, isTaken } from '../../machines/hostname/name.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { command } from '../endpoints/command.ts'
import { type Area, area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { fault } from '../problems/problem.ts'

const strict = { additionalProperties: false } as const

const HostnameView = Type.Object(
  { hostname: Type.String({ description: 'It is found under this name, and as `<name>.local`.' }) },
  { ...strict, title: 'Hostname', description: 'What the device is called.' },
)

const HostnameChange = Type.Object(
  { hostname: Hostname },
  { ...strict, title: 'HostnameChange', description: 'What the device shall be called.' },
)

const example = { hostname: 'front-camera' }

export const hostnameArea: Area = area('hostname', 'What the device is called.', [
  read('GET', '/v1/device/hostname', {
    summary: 'The name of the device',
    answer: HostnameView,
    example,
    get: ({ directory }) => hostnameView(directory),
    faults: ['device.failed', 'actor.unavailable'],
  }),

  command('POST', '/v1/device/hostname', {
    summary: 'Give the device another name',
    about: oneLine`
      Answers when the device has it; under the old name it is not found any more. It keeps the name over restarts.
      The certificate that it made itself is made anew for the new name within a moment, and browsers ask about it
      once more; one that people placed stays as it is.
    `,
    access: 'administer',
    to: 'hostname',
    publishes: [hostnameChanged],
    body: { schema: HostnameChange, example },
    send: ({ body }) => {
      const name = canonicalHostname(body.hostname)
      return isTaken(name) ? taken(name) : { type: 'hostname.set', name }
    },
    faults: ['device.failed'],
  }),
])

const hostnameView = ({ actor }: Directory): object | Fault => {
  const known = actor('hostname')?.getSnapshot().context
  if (known?.name) return { hostname: known.name }
  return known?.fault ?? fault('actor.unavailable', 'the name of the device is being looked up; try again in a second')
}

const taken = (name: string): Fault =>
  fault('body.invalid', `every device calls itself ${name}; choose another name`, {
    errors: [{ pointer: '/hostname', message: `is ${JSON.stringify(name)}, which every device calls itself` }],
  })
