// Whether the lens of a stream is as it was calibrated, by the tags that are seen while the robot drives about. It is
// read when somebody looks, and when they look again: it takes minutes to become another one.
import { useCallback, useEffect, useState } from 'react'
import { api, ask, type Documents, type Problem } from '../api/client.ts'
import { onReset } from '../api/feed.ts'

/** What driving about has said. */
export type LensCheck = Documents['LensCheck']

/** Of one stream, as it was read last. lens: it is read again with another one. */
export const useLensCheck = (stream: string, lens: string) => {
  const [known, setKnown] = useState<{ readonly check?: LensCheck; readonly problem?: Problem }>({})
  const read = useCallback(async () => {
    const answer = await ask(api.GET('/v1/streams/{id}/calibration/check', { params: { path: { id: stream } } }))
    return answer.ok ? { check: answer.value } : { problem: answer.problem }
  }, [stream])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another lens there is another check
  useEffect(() => {
    let isOver = false
    const readNow = async () => {
      const found = await read()
      if (!isOver) setKnown(found)
    }
    void readNow()
    const stop = onReset(() => void readNow())
    return () => {
      isOver = true
      stop()
    }
  }, [read, lens])
  const refresh = useCallback(async () => setKnown(await read()), [read])
  return { ...known, refresh }
}
