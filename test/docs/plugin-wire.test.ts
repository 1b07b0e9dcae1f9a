// The page of the wire of plugins is that of its schemas.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pluginWirePage } from '../../docs/generate-plugin-wire.ts'

test('docs/plugin-wire.md is what its schemas say; npm run docs writes it', () => {
  const written = readFileSync(new URL('../../docs/plugin-wire.md', import.meta.url), 'utf8')

  assert.equal(written, pluginWirePage())
})
