// Writes the codes of ArUco markers as C++, for the addon's build. They are read from js-aruco2, which has the
// dictionaries of OpenCV as data; a machine that builds the addon needs no OpenCV for them, nor one that runs it.
import { createRequire } from 'node:module'

interface Dictionary {
  readonly nBits: number
  readonly codeList: readonly (number | readonly number[])[]
}

/** Our name, and the package's file and name. */
const TABLES = [
  ['aruco_4x4', 'aruco_4x4_1000', 'ARUCO_4X4_1000'],
  ['aruco_5x5', 'aruco_5x5_1000', 'ARUCO_5X5_1000'],
  ['aruco_6x6', 'aruco_6x6_1000', 'ARUCO_6X6_1000'],
  ['aruco_7x7', 'aruco_7x7_1000', 'ARUCO_7X7_1000'],
  ['aruco_original', 'aruco_default_opencv', 'ARUCO_DEFAULT_OPENCV'],
] as const

const load = createRequire(import.meta.url)
const { AR } = load('js-aruco2') as { AR: { DICTIONARIES: Record<string, Dictionary> } }

/** Bytes are eight modules each, but for the last, which has what is left. */
const codeOf = (code: number | readonly number[], bits: number): bigint => {
  if (typeof code === 'number') return BigInt(code)
  return code.reduce((sum, byte, n) => (sum << BigInt(Math.min(8, bits - 8 * n))) | BigInt(byte), 0n)
}

const tables = TABLES.map(([name, file, key]) => {
  load(`js-aruco2/src/dictionaries/${file}.js`)
  const { nBits, codeList } = AR.DICTIONARIES[key] as Dictionary
  return { name, side: Math.sqrt(nBits), codes: codeList.map((code) => codeOf(code, nBits)) }
})

const inLines = (codes: readonly bigint[]): string => codes.map((code) => `0x${code.toString(16)},`).join('\n')

process.stdout.write(`// Made by aruco-codes.ts.
#include "aruco_codes.h"

namespace vedette {

namespace {

${tables.map(({ name, codes }) => `const uint64_t ${name}[] = {\n${inLines(codes)}\n};\n`).join('\n')}
}  // namespace

const ArucoCodes ARUCO_CODES[] = {
${tables.map(({ name, side, codes }) => `    {"${name}", ${side}, ${codes.length}, ${name}},`).join('\n')}
};
const int ARUCO_CODES_COUNT = ${tables.length};

}  // namespace vedette
`)
