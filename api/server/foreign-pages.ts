// The paths that pages from elsewhere may read: pictures, which dashboards embed by their address, and whatever a link
// is followed to. Changes and feeds are the gate's business (api/server/access.ts), and so are requests that say no
// more than browsers let them say.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { fault, sendProblem } from '../problems/problem.ts'
import { endpointOf } from './routes.ts'

/** Puts it in front of every read. origins: of foreign pages that may read everything. */
export const guardReads = (app: FastifyInstance, origins: readonly string[]): void => {
  app.addHook('onRequest', async (request, reply) => {
    const refusal = embedFault(request, origins)
    if (refusal) return sendProblem(reply, refusal)
  })
}

const OUR_OWN: readonly unknown[] = ['same-origin', 'none'] // none: typed in, or a bookmark
const AS_A_PICTURE: readonly unknown[] = ['image', 'iframe']

/**
 * A foreign page can make a browser ask for anything, again and again, without being able to read it. Fetch metadata
 * says for what: no script, style or background request of a foreign page has any business here. Browsers send it over
 * TLS and to loopback; others send nothing and are let through.
 */
const embedFault = (request: FastifyRequest, origins: readonly string[]): Fault | undefined => {
  const { headers, method } = request
  if (endpointOf(request)?.acts) return actFault(request)
  if (endpointOf(request)?.kind === 'panel') return undefined // a ticket says who may have it
  const site = headers['sec-fetch-site']
  if (site === undefined || OUR_OWN.includes(site) || (method !== 'GET' && method !== 'HEAD') || request.ws)
    return undefined
  if (headers.origin !== undefined && origins.includes(headers.origin)) return undefined
  const purpose = headers['sec-fetch-dest']
  if (purpose === 'document' && headers['sec-fetch-mode'] === 'navigate') return undefined
  if (AS_A_PICTURE.includes(purpose) && isPicture(request)) return undefined
  return fault(
    'origin.foreign',
    oneLine`
      pages from elsewhere may show pictures of this device and link to it, nothing more, unless their origin is listed
      (--origins)
    `,
  )
}

/**
 * What every browser calls itself; a page can have it say something else to this device only by asking first, which is
 * not granted.
 */
const BROWSER = /^Mozilla\//

/**
 * Over plain HTTP nothing says for which page a browser asks. So none may send a GET that changes something: any page,
 * and any link, could have it done.
 */
const actFault = ({ headers }: FastifyRequest): Fault | undefined =>
  headers['sec-fetch-site'] === undefined && !BROWSER.test(headers['user-agent'] ?? '')
    ? undefined
    : fault(
        'origin.foreign',
        'browsers may not send this GET, which changes something: any page can make them do it; use POST',
      )

const isPicture = (request: FastifyRequest): boolean =>
  /^(image|multipart)\//.test(endpointOf(request)?.answer.mediaType ?? '')
