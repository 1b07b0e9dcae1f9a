// Writes the schema of the manifests of plugins, for editors.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestSchema } from '../machines/plugins/package/manifest-schema.ts'

/** Where it lies, beside what plugins are written with. */
export const SCHEMA_FILE = join(import.meta.dirname, '../native/plugins/sdk/vedette-plugin.schema.json')

export const schemaText = (): string => `${JSON.stringify(manifestSchema(), null, 2)}\n`

if (import.meta.main) writeFileSync(SCHEMA_FILE, schemaText())
