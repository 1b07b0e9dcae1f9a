// Whether a manifest can be used: what its schema says, and what a schema cannot say.
import type { Fault } from '../../errors/fault.ts'
import { filled } from '../../schema/defaults.ts'
import { firstError, MAX_ERRORS, schemaErrors } from '../../schema/errors.ts'
import type { SchemaError } from '../../schema/explain.ts'
import { jsonIn } from '../../schema/json.ts'
import { oneLine } from '../../schema/one-line.ts'
import { quote } from '../../schema/quote.ts'
import { isVersion } from '../../update/version.ts'
import { PLUGIN_API, PluginManifest } from '../manifest.ts'
import { nodeProblems } from '../nodes/problems.ts'
import { MANIFEST_NAME } from './rules.ts'

/** A schema of a parameter that has a list of words in it has four levels, five above it. */
const MAX_LEVELS = 16

/** A package that is refused, with a sentence about it. */
export const refusedPackage = (why: string): Fault => ({
  code: 'plugin.refused',
  detail: `the package is refused: ${why}`,
})

/** The manifest in a text, with its defaults, or why it cannot be used. paths: of all files of its package. */
export const readManifest = (text: string, paths: readonly string[]): PluginManifest | Fault => {
  const read = jsonIn(text)
  if (read === undefined) return refusedPackage(`its ${MANIFEST_NAME} is no JSON`)
  if (isDeeper(read, MAX_LEVELS)) return refusedPackage(`its ${MANIFEST_NAME} has more than ${MAX_LEVELS} levels`)
  const manifest = filled(PluginManifest, withoutSchema(read))
  const errors = schemaErrors(PluginManifest, manifest)
  if (errors.length > 0) return invalidManifest(errors)
  const problems = nodeProblems((manifest as PluginManifest).provides.nodes ?? [])
  if (problems.length > 0)
    return invalidManifest(problems.map(({ pointer, message }) => ({ pointer: `/provides/nodes${pointer}`, message })))
  const flaw = manifestFlaw(manifest as PluginManifest, new Set(paths))
  return flaw === undefined ? (manifest as PluginManifest) : refusedPackage(flaw)
}

const invalidManifest = (errors: readonly SchemaError[]): Fault => ({
  ...refusedPackage(firstError(errors, MANIFEST_NAME)),
  errors: errors.slice(0, MAX_ERRORS),
})

/** Editors find the schema by it. */
const withoutSchema = (read: unknown): unknown => {
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return read
  const { $schema: _, ...manifest } = read as { readonly $schema?: unknown }
  return manifest
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

const manifestFlaw = (
  { version, minimum_api, program, provides: { nodes = [], panel, routes, jobs = [], events = [] } }: PluginManifest,
  paths: ReadonlySet<string>,
): string | undefined => {
  if (!isVersion(version)) return `its version ${quote(version)} is not one as of semver.org`
  if (minimum_api > PLUGIN_API)
    return oneLine`
      it needs the interface ${minimum_api} for plugins, and this service has ${PLUGIN_API}; update the service, or take
      an older version of the plugin
    `
  const named = [
    ...(program ? [{ path: program.path, what: 'the program' }] : []),
    ...nodes.map(({ type, program: { path } }) => ({ path, what: `the program of its node ${type}` })),
    ...(panel ? [{ path: `${panel.folder}/index.html`, what: 'the panel' }] : []),
  ]
  const missing = named.find(({ path }) => !paths.has(path))
  if (missing) return `${missing.what} ${quote(missing.path)} is not in it`
  const ofProgram = [
    ...(routes ? ['routes'] : []),
    ...(jobs.length > 0 ? ['jobs'] : []),
    ...(events.length > 0 ? ['events'] : []),
  ]
  if (!program && ofProgram.length > 0) return `it says that it has ${ofProgram.join(' and ')}, and no program for them`
  const twice = jobs.find(({ kind }, n) => jobs.findIndex((job) => job.kind === kind) < n)
  return twice && `its job ${twice.kind} stands in it twice`
}
