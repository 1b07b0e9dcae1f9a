// What is wrong with what a stream knows of its lens, with the way to calibrate it.
import { Grid3x3 } from 'lucide-react'
import { Link } from 'wouter'
import { Alert } from '../../parts/parts.tsx'
import type { Stream } from '../../state/streams.ts'
import { LensOff } from '../calibration/lens-check.tsx'
import { startAddress } from '../calibration/words.ts'
import { describeSize } from './describe.ts'

/** undefined: nothing is. */
const lensTrouble = ({ status: { lens, width_px, height_px } }: Stream): string | undefined => {
  if (!lens) return undefined
  if (lens.source === 'guessed')
    return 'Nobody has calibrated this camera: angles are about right, and no poses are solved.'
  if (width_px === null || (lens.width_px === width_px && lens.height_px === height_px)) return undefined
  const [of, has] = [describeSize(lens.width_px, lens.height_px), describeSize(width_px, height_px)]
  return `Its calibration is of ${of}, and its pictures have ${has}: no poses are solved.`
}

/** Nothing, where the lens is known and is as it was calibrated. */
export const LensNote = ({ stream }: { readonly stream: Stream }) => {
  const trouble = lensTrouble(stream)
  if (trouble === undefined) return stream.spec.intrinsics ? <LensOff stream={stream} /> : null
  return (
    <Alert
      tone="busy"
      icon={<Grid3x3 size={18} aria-hidden />}
      action={
        <Link className="button" href={startAddress(stream.id)}>
          Calibrate
        </Link>
      }
    >
      {trouble} <Link href="/calibration">See all calibrations</Link>
    </Alert>
  )
}

/** Where its lens comes from, among its settings. */
export const LensField = ({ stream: { id, status } }: { readonly stream: Stream }) => {
  const { lens } = status
  return (
    <div className="field">
      <span className="label">Lens</span>
      <p className="row">
        <span>
          {lens === null && 'Not known before its camera is open.'}
          {lens?.source === 'calibration' && `Calibrated, for ${describeSize(lens.width_px, lens.height_px)}.`}
          {lens?.source === 'computed' && 'Known by itself, as it is of the synthetic camera.'}
          {lens?.source === 'guessed' && 'Guessed: nobody has calibrated the camera.'}
        </span>
        <Link href={startAddress(id)}>Calibrate</Link>
        <Link href="/calibration">See all calibrations</Link>
      </p>
    </div>
  )
}
