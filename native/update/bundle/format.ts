// How a bundle lies on the disk: one zstd frame with a tar in it, and a closing frame with the SHA-256 of all before
// it, which decompressors skip. So damage on the way is found and called by its name before anything is unpacked.
import { promisify } from 'node:util'
import { constants, createZstdCompress, createZstdDecompress, type ZstdDecompress } from 'node:zlib'

const WINDOW_LOG = 23 // 8 MiB: what unpacking takes of memory, and as much as the best ordinary level uses

/**
 * The first bytes of every bundle: a frame with a window of 8 MiB and a checksum. Others are refused, so that no bundle
 * can ask for more memory.
 */
export const BUNDLE_BEGINNING = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, (WINDOW_LOG - 10) << 3])

const CLOSING_HEAD = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]) // a skippable frame of 32 bytes

/** How many bytes the closing frame has. */
export const CLOSING_BYTES = CLOSING_HEAD.length + 32

/** The closing frame. sha256: of all bytes before it. */
export const closingOf = (sha256: Buffer): Buffer => Buffer.concat([CLOSING_HEAD, sha256])

/**
 * Makes one frame of what passes through. Level 19 takes a minute for a release; what it unpacks to is the same with
 * each. Each piece is waited for: Node ends a frame twice, and so makes two of it, when it hears of the end while a
 * piece waits, so that the bytes would depend on chance.
 */
export const compressed = (level: number) =>
  async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    const frame = createZstdCompress({
      params: {
        [constants.ZSTD_c_compressionLevel]: level,
        [constants.ZSTD_c_windowLog]: WINDOW_LOG,
        [constants.ZSTD_c_checksumFlag]: 1,
      },
    })
    const write = promisify((piece: Buffer, done: (error?: Error | null) => void) => void frame.write(piece, done))
    const feed = async () => {
      for await (const piece of content) await write(piece)
      frame.end()
    }
    const fed = feed()
    fed.catch((error: Error) => frame.destroy(error))
    yield* frame
    await fed
  }

/** Takes the frame before the closing one. */
export const decompressor = (): ZstdDecompress =>
  createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } })
