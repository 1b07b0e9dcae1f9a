// Measuring the modes of a camera: the stream that has it is switched off meanwhile.
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Answer, api, ask, type Documents, type Problem } from '../../api/client.ts'
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
  readonly measure: () => void
  readonly cancel: () => void
}

const START_TRIES = 40
const TRY_MS = 150

const isRunning = ({ state }: Pick<Job, 'state'>): boolean => state === 'queued' || state === 'running'

/** The camera is free a moment after its stream is switched off. */
const begin = async (camera_uid: string): Promise<Answer<Job>> => {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask<Job>(api.POST('/v1/streams/bench/formats', { body: { camera_uid } }))
    if (answer.ok || answer.problem.code !== 'camera.in_use' || tries === START_TRIES) return answer
    await new Promise((resolve) => setTimeout(resolve, TRY_MS))
  }
}

/** uid: of the camera. */
export const useBench = (uid: string, target: StreamTarget): Bench => {
  const mine = useKnownOf(jobs, ({ value }) =>
    value?.find(({ kind, resource_ref }) => kind === 'format_bench' && resource_ref.camera_uid === uid),
  )
  const done = useKnownOf(jobs, ({ value }) =>
    value?.find(
      ({ kind, resource_ref, result }) => kind === 'format_bench' && resource_ref.camera_uid === uid && result != null,
    ),
  )
  const [isOrdered, setOrdered] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const started = useRef<string>(undefined)
  const running = mine && isRunning(mine) ? mine : undefined

  const switchOn = useCallback(async () => {
    const answer = await target.change({ enabled: true })
    if (!answer.ok) setProblem(answer.problem)
    setOrdered(false)
  }, [target])

  const measure = async () => {
    setOrdered(true)
    setProblem(undefined)
    const off = await target.change({ enabled: false })
    const begun = off.ok ? await begin(uid) : off
    if (!begun.ok) {
      setProblem(begun.problem)
      if (off.ok) await switchOn()
      else setOrdered(false)
      return
    }
    started.current = begun.value.id
    jobs.refresh()
  }

  const isOver = mine !== undefined && mine.id === started.current && !isRunning(mine)
  useEffect(() => {
    if (!isOver) return
    started.current = undefined
    if (mine?.fault) setProblem(mine.fault)
    void switchOn()
  }, [isOver, mine, switchOn])

  return {
    ranking: (done?.result as Documents['FormatBench'] | undefined)?.ranking ?? [],
    job: running,
    isBusy: isOrdered || running !== undefined,
    problem,
    measure: () => void measure(),
    cancel: () => running && void ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id: running.id } } })),
  }
}
