// The schema of manifests that editors read is the one by which packages are judged.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SCHEMA_FILE, schemaText } from '../../docs/generate-plugin-schema.ts'

test('the schema of manifests is the one of the sources', () => {
  const file = readFileSync(SCHEMA_FILE, 'utf8')

  assert.equal(file, schemaText(), 'native/plugins/sdk/vedette-plugin.schema.json is stale; run: npm run docs')
})
