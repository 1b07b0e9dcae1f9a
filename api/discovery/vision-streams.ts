// The pictures that the other vision product serves.

import { type BaseUrl, BaseUrlText, readPlace } from '../../machines/discovery/base-url.ts'
import { VISION_PORT, VisionStreams, visionView } from '../../machines/discovery/vision-streams.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { invalidBody } from '../problems/problem.ts'
import { foreignAddressFault } from '../session/refusal.ts'
import { baseUrlIn, type LookParts } from './probe.ts'

const VisionQuestion = Type.Object(
  {
    host: Type.Optional(
      Type.String({ minLength: 1, maxLength: 253, description: 'A name or an address; this or `base_url`.' }),
    ),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        description: 'Of its page; goes with `host`. 5800 if it is not said.',
      }),
    ),
    base_url: Type.Optional(BaseUrlText),
  },
  { additionalProperties: false, title: 'ExtvisionQuestion', description: 'Whom to ask for its streams.' },
)
interface VisionQuestion {
  readonly host?: string
  readonly port?: number
  readonly base_url?: string
}

const example = {
  base_url: 'http://10.12.34.11:5800',
  is_extvision: true,
  product_version: 'v2026.3.4',
  hostname: 'photon-left',
  method: 'websocket',
  streams: [
    {
      id: 'extvision:10.12.34.11:1182',
      name: 'Front',
      kind: 'output',
      url: 'http://10.12.34.11:1182/stream.mjpg',
      camera_key: 'b6d1c3a0-53f2-4d52-9d64-0a6c4b6e8f11',
      connected: true,
      driver_mode: false,
      width_px: 640,
      height_px: 480,
      fps: 30,
    },
  ],
  fault: null,
}

export const visionRow = ({ looks, policy }: LookParts): Endpoint =>
  read('POST', '/v1/peers/integrations/extvision/streams', {
    access: 'operate', // it makes this device call others
    summary: 'The streams of another vision product',
    about: oneLine`
      Asks it for its cameras, as its own page does; where it does not tell, the ports are looked at on which it
      serves pictures. At most 4 s. It is only read, nothing there is changed, and no stream is made here: \`POST
      /v1/streams\` makes one, with the backend \`url\`. An address outside of private networks takes an
      administrator.
    `,
    body: { schema: VisionQuestion, example: { host: '10.12.34.11' } },
    answer: VisionStreams,
    example,
    get: async ({ body, request }) => {
      const at = placeIn(body)
      if (isFault(at)) return at
      const seen = await looks.visionStreams(at, foreignAddressFault(policy, request))
      return isFault(seen) ? seen : visionView(at, seen)
    },
  })

const placeIn = ({ host, port, base_url }: VisionQuestion): BaseUrl | Fault => {
  if (base_url !== undefined) {
    const also = host !== undefined ? '/host' : port !== undefined ? '/port' : undefined
    if (also !== undefined)
      return invalidBody({ pointer: also, message: 'goes not with `base_url`; leave one of them out' })
    const base = baseUrlIn(base_url, '/base_url')
    return isFault(base) || !base.isTls
      ? base
      : invalidBody({ pointer: '/base_url', message: 'must begin with http://, since the product speaks no TLS' })
  }
  if (host === undefined) return invalidBody({ pointer: '/host', message: 'is missing' })
  const found = readPlace(host, port ?? VISION_PORT)
  return found.ok ? found.base : invalidBody({ pointer: '/host', message: 'must be a name or an address' })
}
