// The schema of the file `vedette-plugin.json`, as editors read it: JSON Schema by itself.
import { PluginManifestFile } from '../manifest.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** A file that names it as its `$schema` is completed and checked as it is written. */
export const manifestSchema = (): Readonly<Record<string, unknown>> => ({
  $schema: DIALECT,
  ...(JSON.parse(JSON.stringify(PluginManifestFile)) as object),
})
