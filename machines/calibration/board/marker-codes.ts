// The codes of the markers on boards that this device draws: the first hundred of each dictionary. The service loads no
// addon, so they stand here too; a test compares them to those that the detector knows.

/** Marker dictionaries, by the name of the family that the detector has for them. */
const TABLES = {
  aruco_4x4: {
    side: 4,
    codes: `
    b532 0f9a 332d 9946 549e 79cd 9e2e c4f2 feda cf56 f991 11a7 0eb7 2a0f 24b1 263e 4665 6600 6c5e 76af 868b b02b
    ccd5 dd82 fe47 9471 ace4 a554 2123 346f 4415 57b2 9ecf f0cb 08ae 0929 1875 04ff 0df6 1c5a 1718 2a28 328c 38b2
    24e8 2eeb 2d3f 4b64 502e 5013 5194 5568 5d41 5f97 6801 6867 6124 61e9 6b12 6fe5 67df 7e1b 80a0 8344 8ba2 937a
    846c 852a 859c 9c89 9fa1 bb7c bc04 b65b bfc8 b7ab ca1f c962 d958 d3d5 cc98 c7a0 c537 e95d f925 fbbb ee2a f74d
    3575 8aad 7617 0acf 064b 2dc1 49d8 43f4 4f36 4fd3 69e4 70c7
    `,
  },
  aruco_5x5: {
    side: 5,
    codes: `
    145b2bc 01c06e6 1af0edd 10395f7 1aeb524 1d4082d 0d3d7ec 0e2146b 10d6132 1313fa5 13cee03 1a2dac0 1e62b11 05e7166
    1fcfca8 051e37f 097a758 0bea26f 0f64dc4 1061de8 12dda75 150e440 16b0ca1 0ba12de 19cd023 1a59972 1c3ce8b 0224246
    03b9672 024223b 027376e 0368873 040d0ce 04aaac8 04643ba 07a6fea 0998aac 082d101 09aad1d 0863c72 0ad2825 0a52f9e
    0d849f7 0c309d9 0da7e31 0e9627a 0e9b997 0f94806 0f59125 0f6b7d7 11b58e4 11ad279 11e380b 1169445 12ffb4a 158cb8d
    15987f0 1422fdf 14e1227 156df22 173dbf1 164c93c 17cbb86 1880a87 19147dd 184eb8a 18d85ad 1b2cda9 1babd73 1e9d432
    1e76528 0f5740a 1b11a53 018ce65 02ab219 098e981 0a8061c 141a158 185314c 196d12c 1fad3a2 00922b5 019bce0 00b547c
    002c76f 0132289 012d2a7 00c4b43 0067bc5 00faa0d 01f1f54 038e879 0323b23 02c3647 02da51b 02e9d8d 027c562 03efdf5
    0521ee0 0448efd
    `,
  },
  tag36h11: {
    side: 6,
    codes: `
    d5d628584 d97f18b49 dd280910e e479e9c98 ebcbca822 f31dab3ac 056a5d085 10652e1d4 22b1dfead 265ad0472 34fe91b86
    3ff962cd5 43a25329a 474b4385f 4e9d243e9 5246149ae 5997f5538 683bb6c4c 6be4a7211 7e3158eea 81da494af 858339a74
    8cd51a5fe 9f21cc2d7 a2cabc89c adc58d9eb b16e7dfb0 b8c05eb3a d25ef139d d607e1962 e4aba3076 2dde6a3da 43d40c678
    5620be351 64c47fa65 686d7002a 6c16605ef 6fbf50bb4 8d06d39dc 9f53856b5 adf746dc9 bc9b084dd d290aa77b d9e28b305
    e4dd5c454 fad2fe6f2 181a8151a 26be42c2e 2e10237b8 405cd5491 7742eab1c 85e6ac230 8d388cdba 9f853ea93 c41ea2445
    cf1973594 14a34a333 31eacd15b 6c79d2dab 73cbb3935 89c155bd3 8d6a46198 91133675d a708d89fb ae5ab9585 b9558a6d4
    b98743ab2 d6cec68da 1506bcaef 4becd217a 4f95c273f 658b649dd a76c4b1b7 ecf621f56 1c8a56a57 3628e92ba 53706c0e2
    5e6b3d231 7809cfa94 e97eead6f 5af40604a 7492988ad ed5994712 5eceaf9ed 7c1632815 c1a0095b4 e9e25d52b 3a6705419
    a8333012f 4ce5704d0 508e60a95 877476120 a864e950d ea45cfce7 19da047e8 24d4d5937 6e079cc9b 99f2e11d7 33aa50429
    499ff26c7
    `,
  },
} as const

/** A dictionary of which markers can be drawn. */
export type MarkerDictionary = keyof typeof TABLES

/** How many markers of each dictionary can be drawn. */
export const MAX_DRAWN_MARKERS = 100

/** Modules along a side of a marker's inside, without its black border. */
export const insideModules = (dictionary: MarkerDictionary): number => TABLES[dictionary].side

/**
 * The inside of a marker: row by row from its upper left, whether the module is white.
 *
 * id: below MAX_DRAWN_MARKERS.
 */
export const whiteModules = (dictionary: MarkerDictionary, id: number): readonly (readonly boolean[])[] => {
  const { side } = TABLES[dictionary]
  const code = codesOf(dictionary)[id]
  if (code === undefined) throw new RangeError(`there is no code of marker ${id} of ${dictionary} here`)
  const isWhite = (place: number) => (code >> BigInt(side * side - 1 - place)) % 2n === 1n
  return Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (__, column) => isWhite(row * side + column)),
  )
}

/** By its id: the bits of a marker, row by row, the first the highest. */
export const codesOf = (dictionary: MarkerDictionary): readonly bigint[] =>
  TABLES[dictionary].codes
    .trim()
    .split(/\s+/)
    .map((code) => BigInt(`0x${code}`))
