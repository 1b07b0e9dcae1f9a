// The greeting: who this device is, and what may be asked of it. It is the first that another device reads, before
// either trusts the other.

import { DIRECTORY } from '../../actors/directory.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { HOST_NAME } from '../../machines/http/host-name.ts'
import { NO_IDENTITY, toOthers } from '../../machines/identity/no-identity.ts'
import { CAPABILITIES, type Capability, Hello, PROTOCOL_VERSION } from '../../machines/interdevice/hello.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { IDENTITY } from '../../native/identity/port.ts'
import { areaOf } from '../endpoints/area.ts'
import { type Area, area, type Endpoint } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'

const FINGERPRINT = '5f3a9c0b7d1e2f4a5b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f9a0b1c2'

const needs = { directory: DIRECTORY, identity: IDENTITY, hostName: HOST_NAME }

export const helloArea = areaOf(needs, ({ directory, identity, hostName }, areas) => {
  const isOverTls = () => directory.parts().some(({ name }) => name === 'https')
  let capabilities: readonly Capability[] | undefined
  return area('greeting', 'Who this device is, to other devices.', [
    read('GET', '/v1/interdevice/hello', {
      summary: 'Who this device is, and what may be asked of it',
      about: oneLine`
        Open to everybody: it is asked before two devices trust each other. \`api_base\` and \`ws_base\` are those by
        which this was asked.
      `,
      access: 'open',
      answer: Hello,
      example: {
        device_id: '0d0c2a5e-9c1b-4a52-8c0f-3f2b7c1d9e10',
        name: 'front-camera',
        protocol_version: PROTOCOL_VERSION,
        capabilities: ['proxy_streams', 'remote_control'],
        api_base: 'https://10.12.34.11:5801',
        ws_base: 'wss://10.12.34.11:5801',
        fingerprint: FINGERPRINT,
        client_fingerprint: FINGERPRINT,
      },
      get: ({ request: { protocol, authority } }) => {
        const own = identity.now()
        if (isFault(own)) return toOthers(own)
        const { device_id, fingerprint } = own
        capabilities ??= capabilitiesOf(areas())
        return {
          device_id,
          name: hostName.value ?? '',
          protocol_version: PROTOCOL_VERSION,
          capabilities,
          api_base: `${protocol}://${authority}`,
          ws_base: `${protocol === 'https' ? 'wss' : 'ws'}://${authority}`,
          fingerprint: isOverTls() ? fingerprint : null,
          client_fingerprint: fingerprint,
        }
      },
      faults: NO_IDENTITY,
    }),
  ])
})

/** The row without which there is no such capability. */
const ROW_OF: Readonly<Record<Capability, string>> = {
  proxy_streams: 'GET /v1/interdevice/streams/*/preview',
  remote_control: 'POST /v1/interdevice/streams/*/commands',
  remote_pipeline_edit: 'POST /v1/interdevice/streams/*/pipeline/graph/patch',
  remote_rig_pose: 'PUT /v1/interdevice/rig/cameras/*/pose',
  remote_localization_outputs: 'GET /v1/interdevice/resources',
}

/** What is served is what may be asked; nobody has to keep a second list. */
const capabilitiesOf = (areas: readonly Area[]): readonly Capability[] => {
  const rows = new Set(areas.flatMap(({ endpoints }) => endpoints.map(rowOf)))
  return CAPABILITIES.filter((each) => rows.has(ROW_OF[each]))
}

const rowOf = ({ method, path }: Endpoint): string => `${method} ${path.replace(/:\w+/g, '*')}`
