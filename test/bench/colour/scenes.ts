// Sixty pictures of a chart with a known truth: 0.15 to 0.8 of the width, tilted up to 35 degrees, turned any way up,
// clutter around half of them, a camera with a known matrix, all noisy.
import { encoded } from '../../../machines/ipa/colour-space.ts'
import { CAMERA_CCM, type ChartScene } from '../../support/colour/rendered-chart.ts'
import { mulberry32 } from '../../support/mulberry32.ts'

/** How many. */
export const SCENES = 60

/** The first seeds: of those by which the search was made, and of others. */
export const FIRST_SEEDS = [6_000, 7_000]

/** One of them. */
export const sceneOf = (seed: number): ChartScene => {
  const chance = mulberry32(seed * 7 + 1)
  const share = 0.15 + 0.65 * chance()
  const rollDeg = [0, 0, 0, 90, 180, 270][Math.floor(6 * chance())] as number
  return {
    seed,
    share: rollDeg % 180 === 0 ? share : Math.min(0.5, share), // the picture is not as high as it is wide
    tiltDeg: 35 * chance(),
    rollDeg,
    hasClutter: seed % 2 === 0,
    noise: 2,
    ccm: CAMERA_CCM,
    light: [0.55 + 0.3 * chance(), 0.45 + 0.3 * chance()],
    exposure: 0.6 + 0.3 * chance(),
    curve: encoded,
  }
}

/** The first of those without a chart. */
export const EMPTY_SEED = 8_000
