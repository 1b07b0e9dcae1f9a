// How far a capture is, computed from what is stored of it and what its actor sees.
import { oneLine } from '../../schema/one-line.ts'
import type { CaptureContext, CaptureStateName } from '../capture-machine.ts'
import { layoutOf } from '../solved.ts'
import type { CaptureNews, CaptureSpec, CaptureStatus, KeptCapture } from './capture.ts'
import type { Place } from './look.ts'
import { knownShare, MAX_CAPTURE_PICTURES, MIN_ENOUGH_PICTURES, proposalWords } from './rules.ts'

/** What the actor of a capture sees. */
export interface CaptureView extends Pick<CaptureContext, 'known' | 'refusal' | 'trouble' | 'job_id'> {
  readonly state: CaptureStateName
}

/** Of a capture whose actor has not started yet. */
export const NOTHING_SEEN: CaptureView = { state: 'idle', known: null, refusal: null, trouble: null, job_id: null }

const [COVERED_COLUMNS, COVERED_ROWS] = [12, 8] // as the map of the predicted error

/** A capture as it was ordered. */
export const captureSpecOf = (kept: KeptCapture): CaptureSpec => {
  const { stream_id, square_width_mm, square_height_mm, created_at_ms, media_ids } = kept
  return { stream_id, square_width_mm, square_height_mm, created_at_ms, media_ids }
}

/** What is told of it while it goes on. */
export const captureNewsOf = ({ pictures }: Pick<KeptCapture, 'pictures'>, view: CaptureView): CaptureNews => {
  const { state, known, refusal } = view
  const isLooking = state === 'idle' || state === 'looking' || state === 'proposing' || state === 'refused'
  return {
    state,
    detail: detailOf(view, pictures.length),
    refusal,
    proposal:
      known && isLooking && known.proposed.outline.length === 4
        ? {
            outline: known.proposed.outline.map((place) => rounded(place)),
            nearer: known.proposed.nearer,
            detail: proposalWords(known),
          }
        : null,
    known_share: round(knownShare(known), 4),
    pictures_count: pictures.length,
  }
}

/** All of it. */
export const captureStatusOf = (kept: KeptCapture, view: CaptureView): CaptureStatus => {
  const { known } = view
  const size = kept.width_px !== null && kept.height_px !== null ? kept : known
  const board = known?.board ?? kept.board
  return {
    ...captureNewsOf(kept, view),
    predicted_px: known && known.pictures > 0 && known.mean_px !== null ? round(known.mean_px, 4) : null,
    job_id: view.job_id,
    width_px: size?.width_px ?? null,
    height_px: size?.height_px ?? null,
    board: board && {
      kind: 'charuco',
      family: board.family,
      columns: board.columns,
      rows: board.rows,
      square_width_mm: kept.square_width_mm,
      square_height_mm: kept.square_height_mm,
      layout: layoutOf(board),
    },
    pictures: kept.pictures.map(({ media_id, captured_at_ms, edge_px, corners }) => ({
      media_id,
      captured_at_ms,
      corners_count: corners.length,
      edge_px: round(edge_px, 2),
      hull: hullOf(corners.map((corner) => [corner[2] as number, corner[3] as number])).map(rounded),
    })),
    coverage: coverageOf(kept),
  }
}

const detailOf = ({ state, known, refusal, trouble }: CaptureView, pictures: number): string => {
  switch (state) {
    case 'idle':
      return trouble ?? 'no picture has been looked at yet'
    case 'looking':
      return pictures === 0
        ? 'hold the board in front of the camera, so that all of it is in the picture'
        : 'the board is not to be seen: hold it in front of the camera'
    case 'proposing':
      return known ? proposalWords(known) : 'turn the board a little: it is not known yet which board it is'
    case 'refused':
      return refusal?.detail ?? ''
    case 'accepted':
      return 'a picture is being taken'
    case 'enough':
      return enoughWords(knownShare(known), pictures)
    case 'solving':
      return 'the lens is being computed'
    case 'done':
      return 'the lens was computed; the result says how far it is to be trusted'
  }
}

const enoughWords = (share: number, pictures: number): string =>
  share >= 1 && pictures >= MIN_ENOUGH_PICTURES
    ? 'the lens is known well: have it solved'
    : pictures >= MAX_CAPTURE_PICTURES
      ? oneLine`
          ${pictures} pictures were taken, and more will not help: have it solved, and see what is wrong
        `
      : `${pictures} pictures were taken of what there is, and the lens is not known well: take others`

const coverageOf = ({ pictures, width_px, height_px }: KeptCapture): CaptureStatus['coverage'] => {
  const corners = Array.from({ length: COVERED_COLUMNS * COVERED_ROWS }, () => 0)
  for (const picture of pictures)
    for (const [, , u = -1, v = -1] of picture.corners) {
      const column = Math.floor((u / (width_px ?? 1)) * COVERED_COLUMNS)
      const row = Math.floor((v / (height_px ?? 1)) * COVERED_ROWS)
      if (column < 0 || row < 0 || column >= COVERED_COLUMNS || row >= COVERED_ROWS) continue
      const at = row * COVERED_COLUMNS + column
      corners[at] = (corners[at] as number) + 1
    }
  return { columns: COVERED_COLUMNS, rows: COVERED_ROWS, corners }
}

/** What encloses places: Andrew's chain, from the leftmost around. */
export const hullOf = (places: readonly Place[]): readonly Place[] => {
  const sorted = [...places].sort(([u, v], [otherU, otherV]) => u - otherU || v - otherV)
  if (sorted.length < 3) return sorted
  const half = (all: readonly Place[]): Place[] => {
    const chain: Place[] = []
    for (const place of all) {
      while (chain.length >= 2 && turn(chain.at(-2) as Place, chain.at(-1) as Place, place) <= 0) chain.pop()
      chain.push(place)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half([...sorted].reverse())]
}

const turn = ([u, v]: Place, [u1, v1]: Place, [u2, v2]: Place): number => (u1 - u) * (v2 - v) - (v1 - v) * (u2 - u)

const rounded = ([u, v]: Place): [number, number] => [round(u, 1), round(v, 1)]

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
