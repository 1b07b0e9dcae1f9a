// docs/help.txt is what the service says of its settings.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { helpText } from '../../supervisors/options.ts'

test('docs/help.txt is what the settings give', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/help.txt'), 'utf8')

  assert.equal(page, helpText(), 'docs/help.txt is stale; run: npm run docs')
})
