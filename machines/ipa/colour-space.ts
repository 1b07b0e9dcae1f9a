// Colours from one space to another, and how far two are from each other to the eye. sRGB is of the light D65, Lab of
// D50; between them Bradford's adaptation.
import type { Lab } from './chart.ts'

/** Red, green, blue; linear: in proportion to the light. */
export type Rgb = readonly [red: number, green: number, blue: number]

type Three = readonly [number, number, number]
type Rows = readonly [Three, Three, Three]

const D50: Three = [0.96422, 1, 0.82521]

/** XYZ of D50 to linear sRGB, by Bradford. */
const TO_SRGB: Rows = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
]

const FROM_SRGB: Rows = [
  [0.4360747, 0.3850649, 0.1430804],
  [0.2225045, 0.7168786, 0.0606169],
  [0.0139322, 0.0971045, 0.7141733],
]

const times = (rows: Rows, [x, y, z]: Three): Three =>
  rows.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Three

const EPSILON = 216 / 24389
const KAPPA = 24389 / 27

/** As it may be shown on a screen, not cut off where a screen cannot. */
export const linearOfLab = ([lightness, a, b]: Lab): Rgb => {
  const y = (lightness + 16) / 116
  const back = (f: number) => (f ** 3 > EPSILON ? f ** 3 : (116 * f - 16) / KAPPA)
  const luminance = lightness > KAPPA * EPSILON ? y ** 3 : lightness / KAPPA
  return times(TO_SRGB, [back(y + a / 500) * D50[0], luminance, back(y - b / 200) * D50[2]])
}

/** Of a colour in linear sRGB, which may be beyond what a screen shows. */
export const labOfLinear = (rgb: Rgb): Lab => {
  const [x, y, z] = times(FROM_SRGB, rgb).map((each, at) => {
    const share = each / (D50[at] as number)
    return share > EPSILON ? Math.cbrt(share) : (KAPPA * share + 16) / 116
  }) as unknown as Three
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** What a screen is sent for a share of the light, 0 to 1; beyond it is cut off. */
export const encoded = (linear: number): number => {
  const kept = Math.min(1, Math.max(0, linear))
  return kept <= 0.0031308 ? 12.92 * kept : 1.055 * kept ** (1 / 2.4) - 0.055
}

/** The light of what a screen is sent. */
export const decoded = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** In bytes, for a screen. */
export const screenColour = (rgb: Rgb): [number, number, number] =>
  rgb.map((each) => Math.round(255 * encoded(each))) as [number, number, number]

const DEGREE = Math.PI / 180
const FAR = 25 ** 7

const chromaWeight = (chroma: number): number => Math.sqrt(chroma ** 7 / (chroma ** 7 + FAR))

const hueOf = (a: number, b: number): number => {
  if (a === 0 && b === 0) return 0
  const degrees = Math.atan2(b, a) / DEGREE
  return degrees < 0 ? degrees + 360 : degrees
}

/** The difference of two colours by CIEDE2000: 1 is what people just see. */
export const difference = ([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number => {
  const stretch = 1 + 0.5 * (1 - chromaWeight((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2))
  const [c1, c2] = [Math.hypot(stretch * a1, b1), Math.hypot(stretch * a2, b2)]
  const [h1, h2] = [hueOf(stretch * a1, b1), hueOf(stretch * a2, b2)]
  const isGrey = c1 * c2 === 0
  const apart = h2 - h1
  const turn = isGrey ? 0 : Math.abs(apart) <= 180 ? apart : apart > 180 ? apart - 360 : apart + 360
  const dHue = 2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * DEGREE)
  const sum = h1 + h2
  const hue = isGrey ? sum : Math.abs(h1 - h2) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
  const [lightness, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const tone =
    1 -
    0.17 * Math.cos((hue - 30) * DEGREE) +
    0.24 * Math.cos(2 * hue * DEGREE) +
    0.32 * Math.cos((3 * hue + 6) * DEGREE) -
    0.2 * Math.cos((4 * hue - 63) * DEGREE)
  const off = (lightness - 50) ** 2
  const byLightness = (l2 - l1) / (1 + (0.015 * off) / Math.sqrt(20 + off))
  const byChroma = (c2 - c1) / (1 + 0.045 * chroma)
  const byHue = dHue / (1 + 0.015 * chroma * tone)
  const rotation = -2 * chromaWeight(chroma) * Math.sin(60 * Math.exp(-(((hue - 275) / 25) ** 2)) * DEGREE)
  return Math.sqrt(byLightness ** 2 + byChroma ** 2 + byHue ** 2 + rotation * byChroma * byHue)
}
