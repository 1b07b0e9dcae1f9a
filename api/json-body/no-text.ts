// Bodies that are not UTF-8: what they are instead, or where they stop being it.
import type { Fault } from '../../machines/errors/fault.ts'
import { fault } from '../problems/problem.ts'
import { placeOf } from './place.ts'

/** How compressed bodies begin. None of this begins a JSON document. */
const COMPRESSED: readonly (readonly [name: string, start: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zlib', [0x78]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
]

/** Why a body that cannot be decoded, or that JSON.parse has refused, is no text. undefined: it is some. */
export const noTextFault = (body: Uint8Array, isUtf8: boolean): Fault | undefined => {
  const compressed = isUtf8 ? undefined : COMPRESSED.find(([, start]) => start.every((byte, n) => body[n] === byte))
  if (compressed)
    return fault('media_type.unsupported', `the body looks compressed (${compressed[0]}); send it as it is`)
  if (body[0] === 0 || body[1] === 0 || isByteOrderMark(body))
    return fault('body.malformed', 'the body looks like UTF-16; send it in UTF-8')
  if (isUtf8) return undefined
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  return fault('body.malformed', `the body is not UTF-8: ${placeOf(lossy, lossy.indexOf('\ufffd'))}`)
}

const isByteOrderMark = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
