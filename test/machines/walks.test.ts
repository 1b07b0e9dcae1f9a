// Every machine is walked by the test of its own.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { machines } from '../../machines/all.ts'

for (const name of Object.keys(machines)) {
  test(`the machine ${name} has a walk`, () => {
    const [path] = globSync(`*/${name}-machine.test.ts`, { cwd: import.meta.dirname })
    const variable = `${name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Machine`

    assert.ok(path, `${name}-machine.test.ts is missing`)
    assert.match(readFileSync(join(import.meta.dirname, path), 'utf8'), new RegExp(`\\bwalk\\(\\s*${variable}\\b`))
  })
}
