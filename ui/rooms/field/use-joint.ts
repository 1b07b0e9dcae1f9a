// What of the joint pose shows itself only over some seconds: how far each camera is off, and whether the heading is.
import { useEffect, useRef } from 'react'
import { useSolve, watchSolve } from '../../state/localization.ts'
import { headingOffBy, MAX_HEADING_OFF_DEG, MeanOffsets } from './joint-words.ts'

const MIN_HEADING_OFF_MS = 2000

/** The newest round, four times a second, with what the last seconds showed. */
export const useJoint = (isWanted: boolean) => {
  const offsets = useRef(new MeanOffsets())
  const offSinceMs = useRef<number>(undefined)
  useEffect(() => {
    if (!isWanted) return undefined
    const { current: means } = offsets
    const stop = watchSolve(({ solve, heardMs }) => {
      means.add(solve.cameras, heardMs)
      const off = headingOffBy(solve.heading)
      if (off === undefined || Math.abs(off) < MAX_HEADING_OFF_DEG) offSinceMs.current = undefined
      else offSinceMs.current ??= heardMs
    })
    return () => {
      stop()
      means.clear()
      offSinceMs.current = undefined
    }
  }, [isWanted])
  const slot = useSolve('figures', isWanted)
  const since = offSinceMs.current
  return {
    slot,
    offsets: offsets.current,
    isHeadingOff: slot !== undefined && since !== undefined && slot.heardMs - since >= MIN_HEADING_OFF_MS,
  }
}
