// The IMU: how it stands with it, and what it says, many times a second as long as somebody looks.
import { useEffect, useState } from 'react'
import { api, ask, type Documents, type Problem } from '../api/client.ts'
import { onEvent, onReset } from '../api/feed.ts'
import { addPoint, type StripPoint } from '../drawing/strip-chart.ts'

export type Imu = Documents['Imu']
export type ImuChange = Omit<Documents['ImuChangeOrder'], 'expected_revision' | 'request_id'>

/** How much of it is plotted. */
export const IMU_SPAN_MS = 10_000

const EVERY_MS = 100
const SELDOM_MS = 1_000 // while no readings come
const NONE = 'imu.not_found'
const AWAY = 'service.away'
const US_PER_MS = 1_000

/** What is known of it. */
export interface FollowedImu {
  readonly imu: Imu | undefined
  readonly problem: Problem | undefined
  /** Of the last seconds: roll, pitch; then turns about x, y, z; then forces along them. */
  readonly points: readonly StripPoint[]
}

const pointOf = ({ at_us, roll_deg, pitch_deg, gyro_dps, accel_g }: NonNullable<Imu['reading']>): StripPoint => ({
  atMs: at_us / US_PER_MS,
  values: [roll_deg, pitch_deg, ...gyro_dps, ...accel_g],
})

/**
 * Follows it as long as it is shown and the page is seen. Its readings are others each time, so they are asked for and
 * no events are made of them; where there is none, only an event says that it has to be asked again.
 */
export const useImu = (): FollowedImu => {
  const [followed, setFollowed] = useState<FollowedImu>({ imu: undefined, problem: undefined, points: [] })
  useEffect(() => {
    let isOver = false
    let isReading = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = async () => {
      clearTimeout(timer)
      if (isReading || isOver) return
      isReading = true
      const answer = await ask(api.GET('/v1/device/imu'))
      isReading = false
      if (isOver) return
      if (!answer.ok) {
        const { problem } = answer
        const isGone = problem.code === NONE
        setFollowed(({ imu, points }) => ({ imu: isGone ? undefined : imu, problem, points }))
        if (!isGone && problem.code !== AWAY) timer = setTimeout(read, SELDOM_MS) // else an event or a reset tells
        return
      }
      const { value: imu } = answer
      setFollowed(({ points }) => ({
        imu,
        problem: undefined,
        points: imu.reading ? addPoint(points, pointOf(imu.reading), IMU_SPAN_MS) : points,
      }))
      if (!document.hidden) timer = setTimeout(read, imu.reading ? EVERY_MS : SELDOM_MS)
    }
    const readNow = () => void read()
    const isNews = new Set(['imu_changed', 'imu_settings_changed'])
    const ends = [onEvent(({ kind }) => isNews.has(kind) && readNow()), onReset(readNow)]
    document.addEventListener('visibilitychange', readNow)
    readNow()
    return () => {
      isOver = true
      clearTimeout(timer)
      for (const end of ends) end()
      document.removeEventListener('visibilitychange', readNow)
    }
  }, [])
  return followed
}

/** expected: the revision that the change is made from; null: whatever there is. */
export const writeImu = (change: ImuChange, expected: number | null) => {
  const body = { ...change, ...(expected !== null && { expected_revision: expected }) }
  // what can only be null is nothing at all in the types of openapi-fetch
  return ask(api.PATCH('/v1/device/imu', { body: body as Omit<typeof body, 'bias'> }))
}

/** Has its bias measured: a job. */
export const measureBias = (duration_s: number) => ask(api.POST('/v1/device/imu/bias', { body: { duration_s } }))
