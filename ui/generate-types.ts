// Writes `ui/api/schema.d.ts`: the types of the interface, made from the OpenAPI document of these very sources. The
// set-up of the tests runs it; the page is built without it. Nothing is done when the document is the same as at last.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApi } from '../api/spec/openapi.ts'
import { describedAreas } from '../docs/generate-api.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const GENERATOR = 'node_modules/client-generator/node_modules/openapi-typescript/bin/cli.js'

/** Where the types stand. */
export const SCHEMA = join(root, 'ui/api/schema.d.ts')

/** The first line of the types that are made from the sources as they are now. */
export const firstLineNow = (): string => `// Of the description with the sum ${sumOf(document())}\n`

const document = (): string => JSON.stringify(openApi(describedAreas(), '0.0.0'))

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const writeTypes = (): void => {
  const text = document()
  const head = `// Of the description with the sum ${sumOf(text)}\n`
  if (readIfThere().startsWith(head)) return
  const folder = mkdtempSync(join(tmpdir(), 'vedette-types-'))
  try {
    const from = join(folder, 'openapi.json')
    const to = join(folder, 'schema.d.ts')
    writeFileSync(from, text)
    const { status } = spawnSync(process.execPath, [join(root, GENERATOR), from, '-o', to], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error('the types of the interface could not be made')
    writeFileSync(SCHEMA, head + readFileSync(to, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const readIfThere = (): string => {
  try {
    return readFileSync(SCHEMA, 'utf8')
  } catch {
    return '' // not made yet
  }
}

if (import.meta.main) writeTypes()
