// Which part of its picture a stream has, and which part somebody is choosing.
import { useCallback, useState } from 'react'
import type { Documents } from '../../api/client.ts'
import { type AnyStream, isRemote, type RemoteStream } from '../../state/streams.ts'
import { useWrite, type WriteState } from '../../state/write.ts'
import { type Draft, useDraft } from './draft.ts'
import type { StreamTarget } from './target.ts'

/** A part of the picture of the camera's mode, in its pixels. */
export type Part = Documents['Crop']

/** The service takes none that is smaller. */
export const MIN_CROP_PX = 32

/** A crop that is being chosen. */
export interface CropChoice {
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly draft: Draft<Part>
  /** The whole picture of the mode. */
  readonly picture: { readonly width_px: number; readonly height_px: number }
  /** What is on the screen of it. */
  readonly seen: Part
  readonly isCropped: boolean
  /** What is stored now. */
  readonly theirs: Part
  readonly state: WriteState
  /** Sets what was chosen. over: also over what somebody else has set meanwhile. */
  readonly apply: (over?: boolean) => void
  readonly takeTheirs: () => void
  readonly reset: () => void
}

/** Within the picture, and not too small. */
export const fitPart = ({ x_px, y_px, width_px, height_px }: Part, picture: CropChoice['picture']): Part => {
  const fit = (value: number, min: number, max: number) => Math.round(Math.min(max, Math.max(min, value)))
  const [x, y] = [fit(x_px, 0, picture.width_px - MIN_CROP_PX), fit(y_px, 0, picture.height_px - MIN_CROP_PX)]
  return {
    x_px: x,
    y_px: y,
    width_px: fit(width_px, MIN_CROP_PX, picture.width_px - x),
    height_px: fit(height_px, MIN_CROP_PX, picture.height_px - y),
  }
}

/** `640×480 at 320, 160`. */
export const describePart = ({ x_px, y_px, width_px, height_px }: Part): string =>
  `${width_px}×${height_px} at ${x_px}, ${y_px}`

const sizeOf = (stream: AnyStream) => {
  const { width_px, height_px } = stream.status
  if (width_px === null || height_px === null) return undefined
  if (isRemote(stream)) return sizeOfRemote(stream)
  const { crop } = stream.status
  const picture = crop?.picture ?? { width_px, height_px }
  const seen = { x_px: crop?.x_px ?? 0, y_px: crop?.y_px ?? 0, width_px, height_px }
  return { picture, seen, current: stream.spec.crop ?? { x_px: 0, y_px: 0, ...picture } }
}

/** A device of an older version does not say how much of its picture a stream has. */
const sizeOfRemote = ({ spec: { crop }, status: { picture } }: RemoteStream) => {
  if (crop === undefined || !picture) return undefined
  const current = crop ?? { x_px: 0, y_px: 0, ...picture }
  return { picture, seen: current, current }
}

const NOTHING = { x_px: 0, y_px: 0, width_px: 0, height_px: 0 }

/** undefined: that cannot be chosen, since no pictures come, or their device does not say enough. */
export const useCrop = (stream: AnyStream, target: StreamTarget): CropChoice | undefined => {
  const [isOpen, setOpen] = useState(false)
  const { state, write, clear } = useWrite({ target: target.device, heeds: target.heeds })
  const size = sizeOf(stream)
  const draft = useDraft<Part>(size?.current ?? NOTHING, stream.revision)
  const toggle = useCallback(() => setOpen((now) => !now), [])
  if (!size) return undefined

  const send = async (part: object, expected_revision: number) => {
    const answer = await write(() => target.setCrop({ ...part, expected_revision }))
    if (answer.ok) draft.settle(answer.revision)
  }
  return {
    isOpen,
    toggle,
    draft,
    picture: size.picture,
    seen: size.seen,
    theirs: size.current,
    isCropped: (stream.spec.crop ?? null) !== null,
    state,
    apply: (over = false) => void send(draft.value, over ? stream.revision : draft.expected),
    takeTheirs: () => {
      draft.drop()
      clear()
    },
    reset: () => void send({ x: 0, y: 0, width: 1, height: 1 }, stream.revision),
  }
}
