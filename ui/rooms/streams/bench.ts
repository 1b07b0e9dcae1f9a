// Measuring the modes of a camera. The stream that has it is switched off meanwhile, and on again whatever comes of it:
// also when its tab, or the page, is left.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { api, ask, type Documents, type Problem } from '../../api/client.ts'
import { nextEvent } from '../../api/feed.ts'
import { jobs } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import type { StreamTarget } from './target.ts'

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

const MAX_WAIT_MS = 3000

const isRunning = ({ state }: Pick<Job, 'state'>): boolean => state === 'queued' || state === 'running'

/** Waits until a stream has let go of its camera; not for ever, since a measurement says itself what is in its way. */
const switchedOff = ({ heeds }: StreamTarget) =>
  nextEvent(
    ({ kind, resource_ref, data }) =>
      kind === 'stream_state' && heeds(resource_ref) && (data as { readonly state: string }).state === 'disabled',
    MAX_WAIT_MS,
  )

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

/** Measures the modes of the camera of a stream. */
export const measureModes = async (uid: string, target: StreamTarget): Promise<void> => {
  const show = (now: Measurement) => measurements.trigger.changed({ uid, now })
  show({ isBusy: true, problem: undefined })
  const isFree = switchedOff(target)
  const off = await target.change({ enabled: false })
  if (!off.ok) return show({ isBusy: false, problem: off.problem })
  let jobId: string | undefined
  const leave = () => {
    if (jobId !== undefined) void cancelJob(jobId)
    void target.change({ enabled: true }, undefined, true)
  }
  addEventListener('pagehide', leave)
  await isFree
  const begun = await ask<Job>(api.POST('/v1/streams/bench/formats', { body: { camera_uid: uid } }))
  jobId = begun.ok ? begun.value.id : undefined
  const job = begun.ok ? await ended(begun.value.id) : undefined
  const on = await target.change({ enabled: true })
  removeEventListener('pagehide', leave)
  const problem = begun.ok ? (job?.fault ?? undefined) : begun.problem
  show({ isBusy: false, problem: problem ?? (on.ok ? undefined : on.problem) })
}

/** Ends a job while the page is being left. */
const cancelJob = (id: string) => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } }, keepalive: true }))

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
