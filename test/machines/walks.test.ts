// Every machine is walked by the test of its own.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { machines } from '../../machines/all.ts'

for (const name of Object.keys(machines)) {
  test(`the machine ${name} has a walk`, () => {
    const path = join(import.meta.dirname, `${name}.test.ts`)
    const variable = `${name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Machine`

    assert.ok(existsSync(path), `test/machines/${name}.test.ts is missing`)
    assert.match(readFileSync(path, 'utf8'), new RegExp(`\\bwalk\\(\\s*${variable}\\b`))
  })
}
