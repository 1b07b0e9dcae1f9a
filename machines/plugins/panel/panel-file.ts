// The files of a panel: what they may be called, and what they are.
import Type from '../../schema/type.ts'

/** No dot in front, so that none leads anywhere else. */
export const PANEL_FILE_NAME = '^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$'

/** Of a file of a panel, or of a folder with some of them. */
export const PanelFileName = Type.String({
  pattern: PANEL_FILE_NAME,
  description: 'Letters, digits, dots, underscores and hyphens, 1 to 100; the first is no dot.',
  examples: ['index.html'],
})

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  woff2: 'font/woff2',
}

/** By the ending of its name; undefined: it is nothing that a panel is made of. */
export const panelMediaType = (name: string): string | undefined =>
  MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]

/** What a panel imports to speak with the page; this service gives it. */
export const PANEL_MODULE = 'vedette-panel.js'

/** Where the files of a panel are. */
export const panelPath = (name: string, ticket: string): string => `/v1/plugins/${name}/panel/${ticket}/`

/**
 * What lies below a path, as a content policy names it. An address in brackets it cannot name: then it is the whole
 * origin. origin: `http://10.12.34.11:5800`.
 */
export const policySource = (origin: string, path: string): string =>
  /^https?:\/\/[a-z0-9._-]+(:\d{1,5})?$/i.test(origin) ? origin + path : "'self'"

/**
 * The content policy of all files of a panel. It has an origin that is nobody's, also when it is opened by itself: no
 * cookie of this device goes with what it asks for, and it reads no answer. It loads its own files and nothing else,
 * and speaks with nobody but the page around it.
 */
export const panelPolicy = (origin: string, path: string): string => {
  const place = policySource(origin, path)
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${place}`,
    `style-src ${place} 'unsafe-inline'`,
    `img-src ${place} data: blob:`,
    `font-src ${place} data:`,
    `connect-src ${place}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${policySource(origin, '')}`,
  ].join('; ')
}
