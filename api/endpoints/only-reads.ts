// The kind of a request, before its sender is known.
import type { FastifyRequest } from 'fastify'

/** Whether it only asks: anybody's page may make a browser send such a one. */
export const onlyReads = ({ method, ws, routeOptions }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !ws && !routeOptions.config?.endpoint?.acts
