// The work of the node `script`: documents of the rows that it is given, and JSON of what it gives.
import { header, type Result } from '../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../machines/engine/row-documents.ts'
import { MAX_VALUES_BYTES, readScriptValues } from '../../../../machines/engine/script-values.ts'
import type { HostedInput, Prepare } from './module.ts'
import { sandboxed } from './sandbox.ts'

const MAX_INPUT_BYTES = 1024 * 1024 // 7,000 outlines; what a node gives at most is a quarter of it

export const prepare: Prepare = ({ params, inputs }) => {
  const boundary = sandboxed(String(params.source))
  return {
    inputBytes: MAX_INPUT_BYTES,
    outputBytes: MAX_VALUES_BYTES,
    start: ({ input, output }) => {
      const layout = { stages: [], outputs: inputs }
      const numbers = new Float64Array(input)
      const answer = new Uint8Array(output)
      const encoder = new TextEncoder()
      return (bytes) => {
        const given = boundary(JSON.stringify(documentsOf({ layout, data: numbers.subarray(0, bytes / 8) }, inputs)))
        if (given === undefined || given === 'null') return 0
        const values = readScriptValues(JSON.parse(given))
        if (typeof values === 'string') throw new Error(values)
        const json = JSON.stringify(values)
        const { read, written } = encoder.encodeInto(json, answer)
        if (read < json.length) throw new Error(`its values are too long; ${MAX_VALUES_BYTES} bytes of JSON at most`)
        return written
      }
    },
  }
}

const FRAME = ['seq', 'captured_us', 'width_px', 'height_px'] as const

const documentsOf = (result: Result, inputs: readonly HostedInput[]): object => ({
  ...Object.fromEntries(FRAME.map((field) => [field, header(result, field)])),
  ...Object.fromEntries(inputs.map(({ port, kind }) => [port, rowDocuments(result, port, kind)])),
})
