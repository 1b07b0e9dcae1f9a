// The page for people, and the explorer of the interface: static files, which hold no data of the device.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { blob } from '../endpoints/blob.ts'
import { custom } from '../endpoints/custom.ts'
import { type Area, area } from '../endpoints/endpoint.ts'
import { sendAsset, sendPage } from './built-page.ts'

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** No script and no style but our own files; data: pictures for the explorer's icons. */
const POLICY = oneLine`
  default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';
  form-action 'none'; frame-ancestors 'none'
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

const BECAUSE = 'it lies on the disk in several encodings, and how long browsers keep it depends on its name'

export const pageArea: Area = area('pages', 'For people.', [
  custom('GET', '/', {
    because: BECAUSE,
    summary: 'The page for people',
    access: 'open',
    hidden: true,
    answer: { status: 'ok', also: ['unchanged'], mediaType: TYPES.html },
    serve: ({ request }, reply) => sendPage(request, reply),
    faults: ['route.not_found'],
  }),
  custom('GET', '/assets/:name', {
    because: BECAUSE,
    params: { name: Type.String({ description: 'As the page names it.' }) },
    summary: 'A file of the page',
    access: 'open',
    hidden: true,
    answer: { status: 'ok', also: ['unchanged'], mediaType: TYPES.js },
    serve: ({ request, params: { name } }, reply) => sendAsset(request, reply, name),
    faults: ['route.not_found'],
  }),
  file('/icon.svg', 'Its icon', () => new URL('icon.svg', ui)),
  file('/docs', 'The explorer of this interface', () => new URL('docs.html', ui)),
  file('/docs.js', 'What starts the explorer', () => new URL('docs.js', ui)),
  file('/docs/swagger-ui.css', 'Its looks', () => explorer('swagger-ui.css')),
  file('/docs/swagger-ui-bundle.js', 'What it does', () => explorer('swagger-ui-bundle.js')),
])
