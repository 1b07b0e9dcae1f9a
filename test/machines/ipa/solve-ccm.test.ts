// Colours, their differences, and the matrix of a camera whose matrix is known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PATCHES } from '../../../machines/ipa/chart.ts'
import type { ChartLook } from '../../../machines/ipa/chart-look.ts'
import { difference, encoded, labOfLinear, linearOfLab, screenColour } from '../../../machines/ipa/colour-space.ts'
import { type CcmReasonCode, clippedPatches, ctOf, judgeCcm } from '../../../machines/ipa/judge-ccm.ts'
import { solveCcm, type Tone, timesMatrix } from '../../../machines/ipa/solve-ccm.ts'
import { CAMERA_CCM, inverse } from '../../support/colour/rendered-chart.ts'
import { mulberry32 } from '../../support/mulberry32.ts'

// of the article by Sharma, Wu and Dalal (2005): pairs that other implementations get wrong
const PAIRS = [
  [50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425],
  [50, -1.3802, -84.2814, 50, 0, -82.7485, 1],
  [50, 0, 0, 50, -1, 2, 2.3669],
  [50, 2.49, -0.001, 50, -2.49, 0.0009, 7.1792],
  [50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195],
  [50, 2.5, 0, 73, 25, -18, 27.1492],
  [60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644],
  [22.7233, 20.0904, -46.694, 23.0331, 14.973, -42.5619, 2.0373],
  [2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082],
] as const

test('differences are those of the article, either way round', () => {
  for (const [l1, a1, b1, l2, a2, b2, expected] of PAIRS) {
    assert.ok(Math.abs(difference([l1, a1, b1], [l2, a2, b2]) - expected) < 5e-5)
    assert.ok(Math.abs(difference([l2, a2, b2], [l1, a1, b1]) - expected) < 5e-5)
  }
})

test('patches are on a screen what their makers say, in both editions; a colour comes back from light', () => {
  const screen = (name: string, edition: 'after_2014' | 'before_2014') => {
    const patch = PATCHES.find((each) => each.name === name)
    assert.ok(patch)
    return screenColour(linearOfLab(patch.lab[edition]))
  }

  assert.equal(PATCHES.length, 24)
  assert.deepEqual(screen('dark skin', 'after_2014'), [116, 79, 65])
  assert.deepEqual(screen('cyan', 'after_2014'), [0, 133, 165])
  assert.deepEqual(screen('white', 'before_2014'), [245, 245, 243])
  assert.deepEqual(screen('green', 'before_2014'), [67, 149, 74])
  const apart = PATCHES.map(({ lab }) => difference(lab.after_2014, lab.before_2014))
  assert.ok(Math.abs(apart.reduce((sum, each) => sum + each, 0) / 24 - 0.85) < 0.01)
  for (const { lab } of PATCHES)
    labOfLinear(linearOfLab(lab.after_2014)).forEach((each, at) => {
      assert.ok(Math.abs(each - (lab.after_2014[at] as number)) < 1e-4)
    })
})

const SRGB: Tone = { curve: 'srgb', black: 0, gammaCurve: [] }
const LINEAR: Tone = { curve: 'linear', black: 0, gammaCurve: [] }

interface Light {
  readonly exposure?: number
  readonly red?: number
  readonly blue?: number
  readonly curve?: (light: number) => number
  readonly noise?: number
  readonly mixed?: number
}

/** The chart as a camera sees it that needs CAMERA_CCM. */
const seen = ({
  exposure = 0.8,
  red = 0.6,
  blue = 0.7,
  curve = encoded,
  noise = 0,
  mixed = 0,
}: Light = {}): ChartLook => {
  const [chance, camera] = [mulberry32(38), inverse(CAMERA_CCM)]
  return {
    width_px: 640,
    height_px: 480,
    found_by: 'search',
    corners: [],
    patches: PATCHES.map(({ lab }, at) => {
      const rgb = linearOfLab(lab.after_2014)
      const raw = [0, 3, 6].map((row) =>
        [0, 1, 2].reduce((sum, n) => sum + (camera[row + n] as number) * (rgb[n] as number), 0),
      )
      const redder = 1 + mixed * ((at % 6) / 5 - 0.5)
      const [r, g, b] = [red * redder, 1, blue].map((gain, n) => {
        const light = exposure * gain * (raw[n] as number)
        return Math.min(1, Math.max(0, curve(light) + noise * (chance() - 0.5)))
      }) as [number, number, number]
      return { rgb: [r, g, b], clipped: Math.max(r, g, b) >= 1 ? 1 : 0, pixels: 400 }
    }),
  }
}

const worstEntry = (ccm: readonly number[]): number =>
  Math.max(...ccm.map((each, at) => Math.abs(each - (CAMERA_CCM[at] as number))))

test('the matrix of a camera comes back, whatever the light and the exposure', () => {
  for (const light of [{}, { red: 1.4, blue: 0.4 }, { exposure: 0.3 }, { curve: (each: number) => each }]) {
    const tone = 'curve' in light ? LINEAR : SRGB
    const { ccm, mean_before, mean_after, slope, patches } = solveCcm(seen(light), tone, 'after_2014')

    assert.ok(mean_before > 5 && mean_after < 0.5, `${mean_before} ${mean_after}`)
    assert.ok(worstEntry(ccm) < 0.05, String(ccm))
    assert.ok(Math.abs(slope - 1) < 0.02)
    for (const row of [0, 3, 6])
      assert.ok(Math.abs((ccm[row] as number) + (ccm[row + 1] as number) + (ccm[row + 2] as number) - 1) < 1e-9)
    assert.ok(patches.every(({ difference_after }) => difference_after < 2))
  }
})

test('with noise colours stay within 1 in the mean; the other edition is seen', () => {
  assert.ok(solveCcm(seen({ noise: 1 / 255 }), SRGB, 'after_2014').mean_after <= 1)
  const other = solveCcm(seen(), SRGB, 'before_2014').mean_after
  assert.ok(other > 0.6 && other < 1.4, String(other))
})

test('pictures that had a matrix already: the new one is the solved one after the old', () => {
  const old = [1.4, -0.3, -0.1, -0.2, 1.4, -0.2, 0, -0.4, 1.4]
  const raw = seen({ curve: (each) => each, red: 1, blue: 1 })
  const patches = raw.patches.map((each) => {
    const rgb = [0, 3, 6].map((row) =>
      [0, 1, 2].reduce((sum, n) => sum + (old[row + n] as number) * (each.rgb[n] as number), 0),
    )
    return { ...each, rgb: rgb as unknown as readonly [number, number, number] }
  })

  const { ccm } = solveCcm({ patches }, LINEAR, 'after_2014')

  assert.ok(worstEntry(timesMatrix(ccm, old)) < 0.05)
})

const codes = (look: ChartLook, tone: Tone, more: Partial<Parameters<typeof judgeCcm>[0]> = {}): CcmReasonCode[] => {
  const clipped = clippedPatches(look)
  const solve = solveCcm(look, tone, 'after_2014', clipped)
  const facts = { look, solve, ccm: solve.ccm, clipped, ct: 4000, curveFlaw: null, fileFlaw: null, ...more }
  return judgeCcm(facts).map(({ code }) => code)
}

test('what speaks against a matrix is named: curve, light, exposure, print, file', () => {
  assert.deepEqual(codes(seen(), SRGB), [])
  assert.deepEqual(codes(seen(), SRGB, { ct: null }), ['no_light'])
  assert.deepEqual(codes(seen(), SRGB, { fileFlaw: 'none' }), ['no_file'])
  assert.deepEqual(codes(seen(), SRGB, { curveFlaw: 'It follows the picture' }), ['adaptive'])
  assert.deepEqual(codes({ ...seen(), found_by: 'markers' }, SRGB), ['printed'])
  assert.ok(codes(seen({ mixed: 0.3 }), SRGB).includes('mixed_light'))
  assert.ok(codes(seen({ exposure: 2.5 }), SRGB).includes('clipped'))
  assert.ok(codes(seen({ exposure: 0.02, curve: (each) => each }), LINEAR).includes('dark'))
  for (const curve of [(each: number) => each ** (1 / 1.6), (each: number) => each ** (1 / 3), (each: number) => each])
    assert.ok(codes(seen({ curve }), SRGB).includes('curve'), String(curve))
  const upside = seen()
  assert.ok(codes({ ...upside, patches: upside.patches.toReversed() }, SRGB).includes('greys'))
})

test('a white that is cut off is left out, and nothing else speaks against the picture', () => {
  const look = seen({ exposure: 1.2, red: 1, blue: 1 })
  assert.deepEqual([...clippedPatches(look)], [18])

  assert.deepEqual(codes(look, SRGB), [])
  assert.ok(solveCcm(look, SRGB, 'after_2014', clippedPatches(look)).mean_after < 1)
})

test('the light is told from the greys by the curve of the tuning file', () => {
  const curve = [2800, 0.98, 0.34, 4000, 0.71, 0.52, 6500, 0.52, 0.71]

  assert.equal(ctOf(curve, 0.71, 0.52), 4000)
  assert.equal(ctOf(curve, (0.98 + 0.71) / 2, (0.34 + 0.52) / 2), 3400)
  assert.equal(ctOf(curve, 2, 2), null)
  assert.equal(ctOf([], 1, 1), null)
})
