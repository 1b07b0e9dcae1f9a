// The documents that describe the interface, made from the same rows as its routes.

import { DIRECTORY } from '../../actors/directory.ts'
import Type from '../../machines/schema/type.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'
import { asyncApi } from './asyncapi.ts'
import { openApi } from './openapi.ts'

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
    openapi: once(() => openApi(areas(), version)),
    asyncapi: once(() => asyncApi(areas(), version)),
  }
  const row = (path: string, summary: string, name: keyof typeof documents) =>
    read('GET', path, {
      summary,
      answer: described[name],
      example: { [name]: name === 'openapi' ? '3.1.0' : '3.0.0', info: { title: 'Vedette', version: '0.1.0' } },
      get: () => documents[name](),
    })
  return area('spec', 'This description.', [
    row('/openapi.json', 'The HTTP interface (OpenAPI 3.1)', 'openapi'),
    row('/v1/openapi.json', 'The HTTP interface (OpenAPI 3.1)', 'openapi'),
    row('/asyncapi.json', 'The WebSocket interface (AsyncAPI 3)', 'asyncapi'),
    row('/v1/asyncapi.json', 'The WebSocket interface (AsyncAPI 3)', 'asyncapi'),
  ])
})

const once = (make: () => object): (() => object) => {
  let made: object | undefined
  return () => {
    made ??= make()
    return made
  }
}
