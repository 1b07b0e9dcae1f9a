// What the page about comparing detectors says: its commands for a service, as a reader would run them, and the table
// that it shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { report } from '../../native/compare/report.ts'
import { commandsOf, howTo, noPrograms, runCommands } from '../support/api/page-commands.ts'
import { site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'

const PAGE = howTo('compare-detectors')

interface Node {
  readonly type: string
  readonly params?: { readonly engine?: string }
}

test('the commands about comparing detectors switch a stream to the other one and back', {
  skip: noPrograms,
}, async (t) => {
  const daemon = await site(t).start()
  await daemon.addStream({ id: 'front', source: { backend: 'synthetic', width_px: 320, height_px: 200, fps: 30 } })
  const forService = commandsOf(PAGE).filter((commands) => commands.includes('curl'))

  const stdout = await runCommands(forService, daemon.url, folderOf(t))

  assert.match(stdout, /^ {2}"id": "libapriltag",\n {2}"runnable": true$/m)
  assert.match(stdout, /^ {2}"revision": 2,\n {2}"runnable": true$/m)
  assert.match(stdout, /^\{.*"tags".*\}$/m)
  const stream = await daemon.get<{ spec: { slots: readonly object[]; active_slot?: number } }>('/v1/streams/front')
  assert.deepEqual(stream.spec.slots, [{ slot: 1, graph_id: 'libapriltag' }])
  assert.equal(stream.spec.active_slot, undefined)
  const graph = await daemon.get<{ spec: { nodes: readonly Node[] } }>('/v1/pipelines/graphs/libapriltag')
  assert.equal(graph.spec.nodes.find(({ type }) => type === 'apriltag')?.params?.engine, 'vedette')
})

test('the table of the page has the columns of the real one', () => {
  const answer = { cpu_us: 1, tags: [] }
  const comparison = { ok: true, width_px: 1, height_px: 1, reference: answer, vedette: answer } as const
  const [heads] = report([{ name: 'a.png', comparison }]).split('\n')

  const [, shown] = /^```\n(picture.*)$/m.exec(PAGE) ?? []

  assert.deepEqual(shown?.split(/ {2,}/), heads?.split(/ {2,}/))
})
