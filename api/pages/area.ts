// The page, and the explorer of the interface: static files, which hold no data of the device.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { oneLine } from '../../machines/schema/one-line.ts'
import { blob } from '../endpoints/blob.ts'
import { type Area, area } from '../endpoints/endpoint.ts'

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** No script and no style but our own files; data: pictures for the explorer's icons. */
const POLICY = oneLine`
  default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self';
  base-uri 'none'; form-action 'none'; frame-ancestors 'none'
`

const pageHeaders = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

const ui = new URL('../../ui/', import.meta.url)

/** Where the explorer's own files are. It is big and needed by few, so it is looked for at the first request. */
const explorer = (name: string) => new URL(import.meta.resolve(`swagger-ui-dist/${name}`))

const file = (path: string, summary: string, find: () => URL) =>
  blob('GET', path, {
    summary,
    access: 'open',
    hidden: true,
    mediaType: TYPES[(/\.(\w+)$/.exec(path)?.[1] ?? 'html') as keyof typeof TYPES],
    get: async () => ({ bytes: await readFile(fileURLToPath(find())), headers: pageHeaders }),
  })

export const pageArea: Area = area('pages', 'For people.', [
  file('/', 'The first page', () => new URL('index.html', ui)),
  file('/page.css', 'Its looks', () => new URL('page.css', ui)),
  file('/page.js', 'What it does', () => new URL('page.js', ui)),
  file('/elements.js', 'Pieces that its parts are made of', () => new URL('elements.js', ui)),
  file('/service.js', 'How it talks with the service', () => new URL('service.js', ui)),
  file('/cameras.js', 'The cameras on it that no stream uses', () => new URL('cameras.js', ui)),
  file('/card.js', 'One stream on it', () => new URL('card.js', ui)),
  file('/choice.js', 'Which picture of it is looked at', () => new URL('choice.js', ui)),
  file('/slots.js', 'Which pipeline it runs', () => new URL('slots.js', ui)),
  file('/media.js', 'Pictures and recordings on it', () => new URL('media.js', ui)),
  file('/devices.js', 'The other devices on it', () => new URL('devices.js', ui)),
  file('/compute.js', 'Where the pictures of another device are worked on', () => new URL('compute.js', ui)),
  file('/pairing.js', 'Pairing this device with one of them', () => new URL('pairing.js', ui)),
  file('/stage.js', 'Where one thing of them is looked at', () => new URL('stage.js', ui)),
  file('/field.js', 'The field from above', () => new URL('field.js', ui)),
  file('/session.js', 'Signing in on it', () => new URL('session.js', ui)),
  file('/icon.svg', 'Its icon', () => new URL('icon.svg', ui)),
  file('/docs', 'The explorer of this interface', () => new URL('docs.html', ui)),
  file('/docs.js', 'What starts the explorer', () => new URL('docs.js', ui)),
  file('/docs/swagger-ui.css', 'Its looks', () => explorer('swagger-ui.css')),
  file('/docs/swagger-ui-bundle.js', 'What it does', () => explorer('swagger-ui-bundle.js')),
])
