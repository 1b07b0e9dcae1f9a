// When a recording really began: its first line of results has the time of the first picture, which is later than the
// order.
import { openPlain } from './folder.ts'

const HEAD_BYTES = 4096 // the first line has about two hundred

/** Unix time in ms; undefined when no such line is there. */
export const recordedSince = async (sidecarPath: string): Promise<number | undefined> => {
  await using file = await openPlain(sidecarPath)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  const [line] = buffer.toString('utf8', 0, bytesRead).split('\n')
  const { epoch_ms } = headIn(line as string)
  return Number.isSafeInteger(epoch_ms) && (epoch_ms as number) >= 0 ? (epoch_ms as number) : undefined
}

const headIn = (line: string): { readonly epoch_ms?: unknown } => {
  try {
    return (JSON.parse(line) as { readonly epoch_ms?: unknown } | null) ?? {}
  } catch {
    return {}
  }
}
