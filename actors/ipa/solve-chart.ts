// A colour matrix from a picture of a chart: the picture is sent, or is among the media, or is the next of a stream.
import * as Effect from 'effect/Effect'
import * as Semaphore from 'effect/Semaphore'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { ccmAt, MAX_ENTRY, MIN_ENTRY, roundedCcm } from '../../machines/ipa/ccm.ts'
import type { CcmSolution, SolveQuery } from '../../machines/ipa/ccm-solution.ts'
import type { PixelPoint } from '../../machines/ipa/chart-look.ts'
import { screenColour } from '../../machines/ipa/colour-space.ts'
import { clippedPatches, ctOf, emptyPatches, flawOfChart, judgeCcm } from '../../machines/ipa/judge-ccm.ts'
import { solveCcm, type Tone, timesMatrix } from '../../machines/ipa/solve-ccm.ts'
import type { Tuning } from '../../machines/ipa/tuning-text.ts'
import type { ChartFinder } from '../../native/ipa/port.ts'
import type { MediaStore } from '../../native/media/port.ts'
import { wholeOf } from '../media/whole.ts'
import { answerOf } from '../run.ts'
import type { FreshPicture } from '../stream/fresh-picture.ts'
import type { TuningFiles } from './tuning-files.ts'

/** What it works with. */
export interface SolveChartParts {
  readonly finder: ChartFinder
  readonly files: Pick<TuningFiles, 'tuning'>
  readonly store: Pick<MediaStore, 'open'>
  readonly freshPicture: FreshPicture
}

/** Makes one of them. sent: the picture, where it was sent: empty where none was. */
export type SolveChart = (query: SolveQuery, sent: Uint8Array) => Promise<CcmSolution | Fault>

const MAX_PICTURE_BYTES = 64 * 1024 * 1024

/** Makes it. One picture after the other is looked at: a large one takes a gigabyte. */
export const solveChart = (parts: SolveChartParts): SolveChart => {
  const turns = Semaphore.makeUnsafe(1)
  return async (query, sent) => {
    const picture = await pictureOf(parts, query, sent)
    if (isFault(picture)) return picture
    const looked = turns.withPermits(1)(parts.finder.find(picture, cornersIn(query.corners)))
    const look = await answerOf(Effect.mapError(looked, withWayOut))
    if (isFault(look)) return look
    const { edition = 'after_2014', curve = 'srgb', black = 0 } = query
    const found = await parts.files.tuning(query.file)
    if (isFault(found) && query.file !== undefined) return found
    const tuning = isFault(found) ? null : found.tuning
    const tone: Tone = { curve, black, gammaCurve: tuning?.gammaCurve ?? [0, 0, 65_535, 65_535] }
    const clipped = clippedPatches(look)
    const leftOut = new Set([...clipped, ...(curve === 'linear' ? [] : emptyPatches(look))])
    const flaw = flawOfChart(leftOut)
    if (flaw) return { code: 'chart.not_found', detail: flaw }
    const solve = solveCcm(look, tone, edition, leftOut)
    const told = curve === 'linear' && tuning?.ctCurve ? ctOf(tuning.ctCurve, solve.red_share, solve.blue_share) : null
    const ct = query.ct ?? told
    const old = curve === 'tuning' && tuning && ct !== null ? ccmAt(tuning.matrices, ct) : undefined
    const ccm = roundedCcm(old ? timesMatrix(solve.ccm, old) : solve.ccm)
    const reasons = judgeCcm({
      look,
      solve,
      ccm,
      clipped,
      ct,
      curveFlaw: curve === 'tuning' ? flawOfCurve(tuning) : null,
      fileFlaw: isFault(found) ? found.detail : null,
    })
    const used = solve.patches.filter((_, at) => !leftOut.has(at))
    return {
      ccm: ccm.map((each) => Math.max(MIN_ENTRY, Math.min(MAX_ENTRY, each))),
      ct,
      file: isFault(found) ? null : found.path,
      can_be_written: reasons.length === 0,
      reasons: [...reasons],
      mean_before: solve.mean_before,
      mean_after: solve.mean_after,
      max_before: Math.max(...used.map((each) => each.difference_before)),
      max_after: Math.max(...used.map((each) => each.difference_after)),
      found_by: look.found_by,
      corners: look.corners.map(({ x, y }) => ({ x, y })),
      width_px: look.width_px,
      height_px: look.height_px,
      edition,
      patches: solve.patches.map(({ wanted, before, after, ...rest }, at) => ({
        ...rest,
        wanted: screenColour(wanted),
        before: screenColour(before),
        after: screenColour(after),
        is_clipped: leftOut.has(at),
      })),
    }
  }
}

const wrong = (name: string, message: string): Fault => ({
  code: 'query.invalid',
  detail: `${name}: ${message}`,
  errors: [{ pointer: `/${name}`, message }],
})

/** From exactly one of the three places. */
const pictureOf = async (
  { store, freshPicture }: SolveChartParts,
  { media_name, stream_id }: SolveQuery,
  sent: Uint8Array,
): Promise<Uint8Array | Fault> => {
  if (media_name !== undefined && (stream_id !== undefined || sent.length > 0))
    return wrong('media_name', 'stands alone: leave the stream and the body out')
  if (stream_id !== undefined && sent.length > 0) return wrong('stream_id', 'stands alone: leave the body out')
  if (media_name !== undefined) return ofMedia(store, media_name)
  if (stream_id === undefined)
    return sent.length > 0 ? sent : wrong('stream_id', 'is missing: send a picture, or name a stream or a media item')
  const picture = await freshPicture(stream_id, {}, 'next')
  return isFault(picture) ? picture : picture.jpeg
}

const ofMedia = async (store: SolveChartParts['store'], name: string): Promise<Uint8Array | Fault> => {
  const found = await store.open(name, 'content')
  if (isFault(found)) return found
  try {
    if (found.item.kind !== 'picture') return { code: 'media.invalid', detail: `${name} is no picture` }
    if (found.size_bytes > MAX_PICTURE_BYTES) return { code: 'media.invalid', detail: `${name} is longer than 64 MiB` }
    return await wholeOf(found.stream(0, found.size_bytes - 1))
  } finally {
    await found.close()
  }
}

const cornersIn = (text: string | undefined): readonly PixelPoint[] | null =>
  text?.split(';').map((place) => {
    const [x = 0, y = 0] = place.split(',').map(Number)
    return { x, y }
  }) ?? null

const withWayOut = (fault: Fault): Fault =>
  fault.code === 'chart.not_found'
    ? { ...fault, detail: `${fault.detail}; have it larger and whole in the picture, or give its four corners` }
    : fault

const flawOfCurve = (tuning: Tuning | null): string | null => {
  if (!tuning) return 'No tuning file was found whose curve could be undone'
  if (!tuning.gammaCurve || tuning.gammaCurve.length < 4) return 'The tuning file has no gamma_curve'
  return tuning.isAdaptive ? 'The curve of the tuning file follows the picture' : null
}
