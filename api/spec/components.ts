// The schemas that have a name of their own in the OpenAPI and AsyncAPI documents; all others stand where they are used.
import type { TSchema } from 'typebox'
import { FieldMap } from '../../machines/localization/field-map.ts'
import { PoseDocument } from '../../machines/localization/pose.ts'
import { GraphDocument } from '../../machines/pipeline/graph.ts'
import { ImagesSource, Intrinsics, StreamManifest, SyntheticSource } from '../../machines/stream/manifest.ts'
import { FaultDocument, StreamStatus } from '../../machines/stream/status.ts'
import { Problem } from '../problems/problem.ts'
import { StreamResource, StreamSpec } from '../streams/area.ts'

const components: Readonly<Record<string, TSchema>> = {
  Fault: FaultDocument,
  FieldMap,
  Graph: GraphDocument,
  ImagesSource,
  Intrinsics,
  Pose: PoseDocument,
  Problem,
  Stream: StreamResource,
  StreamManifest,
  StreamSpec,
  StreamStatus,
  SyntheticSource,
}

type Json = Readonly<Record<string, unknown>>

const nameOf = new Map(Object.entries(components).map(([name, schema]) => [JSON.stringify(schema), name]))

/** A schema with the named ones in it replaced by references. Equal schemas are the same schema, wherever they were written. */
export const referring = (schema: unknown): unknown => {
  const name = nameOf.get(JSON.stringify(schema))
  return name ? { $ref: `#/components/schemas/${name}` } : inside(schema)
}

/** All named schemas, referring to one another. */
export const componentSchemas = (): Json =>
  Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, inside(schema)]))

const inside = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(referring)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(asEnum(schema as Json)).map(([key, value]) => [key, referring(value)]))
}

/** A union of literals reads better as an enumeration. */
const asEnum = (schema: Json): Json => {
  const branches = schema.anyOf as readonly Json[] | undefined
  if (!branches?.every((branch) => 'const' in branch)) return schema
  const { anyOf: _anyOf, ...rest } = schema
  return { type: 'string', enum: branches.map((branch) => branch.const), ...rest }
}
