// The documents that describe the interface, made from the same rows as its routes.

import { DIRECTORY } from '../../actors/directory.ts'
import Type from '../../machines/schema/type.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { asyncApi } from './asyncapi.ts'
import { openApiInSteps } from './openapi.ts'
import { SpecDocument } from './spec-document.ts'

const described = {
  openapi: Type.Record(Type.String(), Type.Unknown(), {
    title: 'OpenApiDocument',
    description: 'The HTTP interface as OpenAPI 3.1.',
  }),
  asyncapi: Type.Record(Type.String(), Type.Unknown(), {
    title: 'AsyncApiDocument',
    description: 'The WebSocket interface as AsyncAPI 3.',
  }),
}

/** It describes all areas, itself included. */
export const specArea = areaOf({ directory: DIRECTORY }, ({ directory: { identity } }, areas) => {
  const { version } = identity
  const documents = {
    openapi: new SpecDocument(() => openApiInSteps(areas(), version)),
    asyncapi: new SpecDocument(() => ({ next: () => ({ done: true, value: asyncApi(areas(), version) }) })),
  }
  const row = (path: string, summary: string, name: keyof typeof documents) =>
    custom('GET', path, {
      because: 'it is the same for everybody as long as the service runs, so it is packed and kept by who has read it',
      access: 'read',
      summary,
      about: 'It is sent packed (br, gzip) to who takes that. `If-None-Match` spares it to who has it.',
      answer: {
        status: 'ok',
        also: ['unchanged'],
        mediaType: 'application/json',
        schema: described[name],
        example: { [name]: name === 'openapi' ? '3.1.0' : '3.0.0', info: { title: 'Vedette', version: '0.1.0' } },
        headers: { ETag: 'Of this description: another one when anything in it is.' },
      },
      serve: ({ request }, reply) => documents[name].send(request, reply),
    })
  return area('spec', 'This description.', [
    row('/openapi.json', 'The HTTP interface (OpenAPI 3.1)', 'openapi'),
    row('/v1/openapi.json', 'The HTTP interface (OpenAPI 3.1)', 'openapi'),
    row('/asyncapi.json', 'The WebSocket interface (AsyncAPI 3)', 'asyncapi'),
    row('/v1/asyncapi.json', 'The WebSocket interface (AsyncAPI 3)', 'asyncapi'),
  ])
})
