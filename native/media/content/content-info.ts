// What a stored content is, and what is known of it: of pictures and videos found out here, of models by a child.
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { MediaType } from '../../../machines/media/media-type.ts'
import type { ModelChecker } from '../../models/checker.ts'
import type { MediaFacts } from '../port.ts'
import type { Bytes } from './bytes.ts'
import { HEAD_BYTES, inspect, typeOfHead } from './inspect.ts'

/** What it is, and the facts of it. */
export interface ContentInfo {
  readonly media_type: MediaType
  readonly facts: MediaFacts
}

/** path: where the bytes lie. `media.invalid` when it is broken, or cannot be used. */
export const readContentInfo = async (
  path: string,
  bytes: Bytes,
  checker: ModelChecker,
): Promise<ContentInfo | Fault> => {
  const media_type = typeOfHead(await bytes.at(0, HEAD_BYTES))
  if (isFault(media_type)) return media_type
  if (media_type === 'application/onnx') {
    const model = await checker(path)
    return isFault(model) ? model : { media_type, facts: { model } }
  }
  const content = await inspect(bytes)
  if (isFault(content)) return content
  const { width_px, height_px, duration_ms } = content
  return { media_type, facts: { width_px, height_px, duration_ms: duration_ms ?? undefined } }
}
