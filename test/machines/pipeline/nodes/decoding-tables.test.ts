// The memory that correcting bits takes: what a device does not have is refused where somebody can read why.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APRILTAG_FAMILIES } from '../../../../machines/engine/tag-families.ts'
import { examineGraph } from '../../../../machines/pipeline/examine.ts'
import { ARUCO_DICTIONARIES } from '../../../../machines/pipeline/nodes/aruco-dictionaries.ts'
import { graphWithTags } from '../../../support/engine/engine-task.ts'

const examined = (params: Readonly<Record<string, unknown>>) => examineGraph(graphWithTags(params))

test('all families together are planned with their defaults, and the classic ones with two bits', () => {
  assert.ok(examined({ families: [...APRILTAG_FAMILIES] }).runnable)
  assert.ok(examined({ families: ['tag36h11', 'tag25h9', 'tag16h5'], max_hamming: 2 }).runnable)
})

test('with libapriltag, more bits than its memory allows are refused with the limit; the fix resets them', () => {
  const cases = [
    [['tagStandard41h12'], 2, /must be at most 1 with tagStandard41h12: the tables for correcting 2 bits take 171 MB/],
    [['tag36h11', 'tag36h10'], 2, /at most 1 with tag36h11, tag36h10/],
    [['tagStandard52h13'], 2, /at most 0 .* take 6325 MB/],
    [['tagStandard52h13'], 1, /at most 0/],
    [['tagCustom48h12'], 1, /at most 0/],
  ] as const

  for (const [families, max_hamming, reason] of cases) {
    const [found, ...others] = examined({ families, max_hamming, engine: 'reference' }).diagnostics
    assert.deepEqual([found?.code, found?.node, others], ['param.invalid', 'tags', []])
    assert.match(String(found?.message), reason)
    assert.deepEqual(found?.fix?.at(-1), { op: 'replace', path: '/nodes/2/params/max_hamming', value: null })
  }
})

test("the service's own detector has no tables, and corrects as many bits of any family", () => {
  const families = ['tagStandard41h12', 'tagStandard52h13', 'tagCustom48h12']

  assert.ok(examined({ families, max_hamming: 2, engine: 'vedette' }).runnable)
  assert.equal(examined({ families, max_hamming: 2, engine: 'reference' }).runnable, false)
})

test('bits that markers of a dictionary do not differ in are refused', () => {
  const cases = [
    [['4x4_50', '4x4_1000'], 1, /at most 0 with 4x4_1000: with more wrong bits one of its markers may be another/],
    [['original'], 1, /at most 0 with original/],
    [['4x4_250'], 2, /at most 1 with 4x4_250/],
    [['7x7_1000'], 2, /at most 1 with 7x7_1000: the tables for correcting 2 bits take 115 MB/],
    [['4x4_250', '6x6_250'], 1, undefined],
    [['5x5_1000'], 2, undefined],
    [[...ARUCO_DICTIONARIES], null, undefined],
  ] as const

  for (const [dictionaries, max_hamming, reason] of cases) {
    const graph = {
      nodes: [
        { id: 'cam', type: 'source' },
        { id: 'tags', type: 'aruco', params: { dictionaries, max_hamming, engine: 'reference' } },
      ],
      edges: [{ from: 'cam.image', to: 'tags.image' }],
      outputs: [{ port: 'tags', from: 'tags.detections' }],
    }
    const { runnable, diagnostics } = examineGraph(graph)
    assert.equal(runnable, reason === undefined)
    if (reason) assert.match(String(diagnostics[0]?.message), reason)
  }
})
