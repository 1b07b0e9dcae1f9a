// Parts of a start, in a process of their own. `load ENTRY`: loads what the service of that entry is made of, and says
// when that is done. `endpoints`: says how many ms one endpoint takes of the start, making its row included.
import { globSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/service', import.meta.url)))

const MORE = 100
/** From the entry of the sources. */
const SOURCES = ['process/service.ts', '../api/server/server.ts', '../api/areas.ts']

const load = async (entry = ''): Promise<void> => {
  const folder = new URL(`../../../${dirname(entry)}/`, import.meta.url)
  const modules = entry.endsWith('.ts') ? SOURCES : globSync('service/*.mjs', { cwd: folder })
  for (const module of modules) await import(new URL(module, folder).href)
  console.log('loaded')
}

const endpoints = async (): Promise<void> => {
  const { default: Type } = await import('typebox')
  const { default: fastify } = await import('fastify')
  const { read } = await import('../../../api/endpoints/read.ts')
  const { command } = await import('../../../api/endpoints/command.ts')
  const { mount } = await import('../../../api/server/routes.ts')
  const beforeMs = performance.now()
  const rows = Array.from({ length: MORE / 2 }, (_, n) => {
    const document = Type.Object(
      { id: Type.String(), name: Type.Optional(Type.String({ maxLength: 60 })), x_m: Type.Number({ minimum: 0 }) },
      { additionalProperties: false },
    )
    const example = { id: 'one', x_m: 1 }
    return [
      read('GET', `/v1/more-${n}/:id`, {
        params: { id: Type.String() },
        summary: 'More',
        query: { since: Type.Integer() },
        answer: document,
        example,
        get: () => example,
      }),
      command('POST', `/v1/more-${n}/:id`, {
        summary: 'More',
        to: 'settings',
        faults: [],
        body: { schema: document, example },
        answer: document,
        example,
        send: () => ({ type: 'more' }),
        answered: () => example,
      } as never),
    ]
  }).flat()
  // A server of its own, with nothing else in it.
  const app = fastify({ schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } } })
  mount(app, rows, {} as never)
  await app.ready()
  console.log((performance.now() - beforeMs) / MORE)
  await app.close()
}

await (process.argv[2] === 'load' ? load(process.argv[3]) : endpoints())
process.exit()
