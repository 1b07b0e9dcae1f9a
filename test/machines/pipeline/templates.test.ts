// The pipelines to begin with: each can run as it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANYWHERE, examineGraph } from '../../../machines/pipeline/examine.ts'
import { GraphDocument } from '../../../machines/pipeline/graph.ts'
import { templates } from '../../../machines/pipeline/templates.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { canonicalManifest } from '../../../machines/stream/canonical-manifest.ts'

/** Of a camera as teams have them. */
const CALIBRATED = { ...ANYWHERE, picture: { width_px: 640, height_px: 480 }, fps: 30, intrinsics: true }

for (const { id, graph } of templates) {
  test(`the template ${id} can be read, run and given to a stream, and the planner finds no fault`, () => {
    assert.deepEqual(schemaErrors(GraphDocument, graph), [])
    const { runnable, diagnostics } = examineGraph(graph, CALIBRATED)

    assert.equal(runnable, true)
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity !== 'info'),
      [],
    )
    assert.equal(canonicalManifest({ source: { backend: 'synthetic' }, pipeline: graph }).ok, true)
    assert.deepEqual(
      Object.keys(graph.layout ?? {}),
      graph.nodes.map((node) => node.id),
      'each node has a place for editors',
    )
  })
}

test('templates have names of their own', () => {
  assert.equal(new Set(templates.map(({ id }) => id)).size, templates.length)
  for (const id of ['apriltag-3d', 'apriltag-2d', 'driver']) assert.ok(templates.some((each) => each.id === id))
})
