// The chart of 24 patches that everybody has, in six columns and four rows: what its patches are.

import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** A colour in CIE Lab, of the light D50 and two degrees. */
export type Lab = readonly [lightness: number, a: number, b: number]

/** By their words in requests. */
export const EDITIONS = {
  after_2014: 'charts made after November 2014',
  before_2014: 'charts made before; they differ by 0.85 in the mean, 1.95 at most',
} as const
export type Edition = keyof typeof EDITIONS

/** In a query. */
export const EditionQuery = Type.Enum(Object.keys(EDITIONS) as Edition[], {
  default: 'after_2014',
  description: oneLine`
    Of the chart: its makers changed it in November 2014. before_2014 and after_2014 differ by 0.85 in the mean.
  `,
})

/** Of the lattice. */
export const COLUMNS = 6

/** Of the lattice. */
export const ROWS = 4

const TABLE = `
  dark skin      37.54  14.37  14.92   37.986  13.555  14.059
  light skin     64.66  19.27  17.50   65.711  18.130  17.810
  blue sky       49.32  -3.82 -22.54   49.927  -4.880 -21.925
  foliage        43.46 -12.74  22.72   43.139 -13.095  21.905
  blue flower    54.94   9.61 -24.79   55.112   8.844 -25.399
  bluish green   70.48 -32.26  -0.37   70.719 -33.397  -0.199
  orange         62.73  35.83  56.50   62.661  36.067  57.096
  purplish blue  39.43  10.75 -45.17   40.020  10.410 -45.964
  moderate red   50.57  48.64  16.67   51.124  48.239  16.248
  purple         30.10  22.54 -20.87   30.325  22.976 -21.587
  yellow green   71.77 -24.13  58.19   72.532 -23.709  57.255
  orange yellow  71.51  18.24  67.37   71.941  19.363  67.857
  blue           28.37  15.42 -49.80   28.778  14.179 -50.297
  green          54.38 -39.72  32.27   55.261 -38.342  31.370
  red            42.43  51.05  28.62   42.101  53.378  28.190
  yellow         81.80   2.67  80.41   81.733   4.039  79.819
  magenta        50.63  51.28 -14.12   51.935  49.986 -14.574
  cyan           49.57 -29.71 -28.32   51.038 -28.631 -28.638
  white          95.19  -1.03   2.93   96.539  -0.425   1.186
  light grey     81.29  -0.57   0.44   81.257  -0.638  -0.335
  grey           66.89  -0.75  -0.06   66.766  -0.734  -0.504
  middle grey    50.76  -0.13   0.14   50.867  -0.153  -0.270
  dark grey      35.63  -0.46  -0.48   35.656  -0.421  -1.231
  black          20.64   0.07  -0.46   20.461  -0.079  -0.973
`

/** A patch. */
export interface Patch {
  readonly name: string
  readonly lab: Readonly<Record<Edition, Lab>>
}

const ROW = /^ *([a-z]+(?: [a-z]+)?) +(.*)$/gm

/** Row by row from dark skin; the last row from white to black. */
export const PATCHES: readonly Patch[] = [...TABLE.matchAll(ROW)].map(([, name = '', numbers = '']) => {
  const all = numbers.trim().split(/ +/).map(Number)
  return { name, lab: { after_2014: all.slice(0, 3) as unknown as Lab, before_2014: all.slice(3) as unknown as Lab } }
})

/** The greys, from white to black. */
export const GREYS: readonly number[] = [18, 19, 20, 21, 22, 23]

/** Those of them that are neither at the end of what a camera can hold nor in its noise. */
export const MIDDLE_GREYS: readonly number[] = [19, 20, 21, 22]
