// A camera on the network as a source.
import type { Static } from 'typebox'
import { inputOf, withDefault } from '../../schema/defaults.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { addressComplaints, shownAddress } from './camera-address.ts'
import { sourceKind } from './source-kind.ts'

const strict = { additionalProperties: false } as const

const credential = (description: string) => Type.String({ minLength: 1, maxLength: 128, description })

const fields = {
  backend: Type.Literal('url'),
  url: Type.String({
    pattern: '^(https?|rtsps?)://[^/?#\\s][^\\s]{0,2000}$',
    description: oneLine`
      Http://, https://, rtsp:// or rtsps:// and up to 2000 characters without blanks: where the camera gives live
      JPEGs (multipart/x-mixed-replace), or a video in H.264, H.265 or MJPEG. Without a name and password in it. What
      stands behind ? is kept, and shown to nobody: an address is shown as \`http://10.12.34.11/video?...\`.`,
    examples: ['http://10.12.34.11/mjpg/video.mjpg', 'rtsp://10.12.34.12/stream1'],
  }),
  username: Type.Optional(credential('For cameras that ask who is there (Basic or Digest).')),
  password: Type.Optional({ ...credential('Kept, and not shown to anybody.'), writeOnly: true }),
  fps: withDefault(
    Type.Number({ minimum: 0.1, maximum: 240, description: 'What the camera gives; a silence is judged by it.' }),
    30,
  ),
}

const about = oneLine`
  A camera on the network that gives live JPEGs or a video. Redirects over HTTP are followed, at most three, and never
  into another kind of network; others are not.`

/** A camera on the network. */
export const UrlSource = inputOf(fields, { ...strict, title: 'UrlSource', description: about })
export type UrlSource = Static<typeof UrlSource>

/** A camera on the network. */
export const urlKind = sourceKind({
  backend: 'url',
  sent: UrlSource,
  whole: Type.Object(fields, { ...strict, title: 'CanonicalUrlSource', description: about }),
  traits: {
    fps: ({ fps }) => fps,
    errors: ({ url, username, password }) => {
      const complaints = addressComplaints(url, 'as `username` and `password`')
      const errors: SchemaError[] = complaints.map((message) => ({ pointer: '/source/url', message }))
      if (password !== undefined && username === undefined)
        errors.push({ pointer: '/source/username', message: 'is missing, though there is a password' })
      return errors
    },
    shown: ({ password: _, url, ...source }) => ({ ...source, url: shownAddress(url) }),
    /** The password of a camera goes to the address for which it was given, and to no other. */
    kept: (source, patch) => {
      if (patch.url === undefined || patch.url === source.url) return source
      const { username: _, password: __, ...open } = source
      return open
    },
  },
})
