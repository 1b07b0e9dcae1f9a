// Measuring the modes of a camera. The job of the service holds the stream that has it, whatever becomes of this page.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { api, ask, type Documents, type Problem } from '../../api/client.ts'
import { jobs } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'

type Job = Documents['Job']
type Ranking = Documents['FormatBench']['ranking']

/** A measurement, and what the last one has brought. */
export interface Bench {
  readonly ranking: Ranking
  /** While it is running. */
  readonly job: Job | undefined
  readonly isBusy: boolean
  readonly problem: Problem | undefined
}

interface Measurement {
  readonly isBusy: boolean
  readonly problem: Problem | undefined
}

/** By the camera. */
const measurements = createStore({
  context: {} as Readonly<Record<string, Measurement>>,
  on: {
    changed: (before, { uid, now }: { uid: string; now: Measurement }) => ({ ...before, [uid]: now }),
  },
})

const isRunning = ({ state }: Pick<Job, 'state'>): boolean => state === 'queued' || state === 'running'

/** Waits for the end of a job. */
const ended = (id: string): Promise<Job> =>
  new Promise((resolve) => {
    const look = () => {
      const job = jobs.now().value?.find((each) => each.id === id)
      if (!job || isRunning(job)) return
      subscription.unsubscribe()
      resolve(job)
    }
    const subscription = jobs.store.subscribe(look)
    jobs.refresh()
  })

/** Measures the modes of a camera. */
export const measureModes = async (uid: string): Promise<void> => {
  const show = (now: Measurement) => measurements.trigger.changed({ uid, now })
  show({ isBusy: true, problem: undefined })
  const body = { camera_uid: uid, hold_stream: true }
  const begun = await ask<Job>(api.POST('/v1/streams/bench/formats', { body }))
  if (!begun.ok) return show({ isBusy: false, problem: begun.problem })
  const { fault } = await ended(begun.value.id)
  show({ isBusy: false, problem: fault ?? undefined })
}

const isOf = ({ kind, resource_ref }: Job, uid: string): boolean =>
  kind === 'format_bench' && resource_ref.camera_uid === uid

/** What is known of the modes of a camera. */
export const useBench = (uid: string): Bench => {
  const job = useKnownOf(jobs, ({ value }) => value?.find((each) => isOf(each, uid) && isRunning(each)))
  const done = useKnownOf(jobs, ({ value }) => value?.find((each) => isOf(each, uid) && each.result != null))
  const mine = useSelector(measurements, ({ context }) => context[uid])
  return {
    ranking: (done?.result as Documents['FormatBench'] | undefined)?.ranking ?? [],
    job,
    isBusy: mine?.isBusy === true || job !== undefined,
    problem: mine?.problem,
  }
}
