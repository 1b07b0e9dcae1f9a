// What a request is, before it is known who sends it.
import type { FastifyRequest } from 'fastify'

/** Whether it only asks: anybody's page may make a browser send such a one. */
export const onlyReads = ({ method, ws, routeOptions }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !ws && !routeOptions.config?.endpoint?.acts
