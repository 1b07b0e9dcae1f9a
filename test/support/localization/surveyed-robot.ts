// A robot of a running service, whose synthetic cameras sit and whose tags hang where they do whatever is said of them:
// what is said otherwise afterwards, by a survey that was accepted, makes its faults smaller, and moves nothing.
import { setTimeout as delay } from 'node:timers/promises'
import type { FieldMap } from '../../../machines/localization/field-map.ts'
import {
  compose,
  invert,
  type Pose,
  type PoseDocument,
  poseFromDocument,
  poseToDocument,
} from '../../../machines/localization/pose.ts'
import type { StoredSurvey } from '../../../machines/localization/rig-and-map/stored-survey.ts'
import type { LocalizationSolve } from '../../../machines/localization/solve-document.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import type { Lifetime } from '../lifetime.ts'
import { chance } from './chance.ts'
import { offsetBy } from './offset.ts'
import type { Faults } from './worlds.ts'

/** A service, by its address. */
export interface Service {
  readonly url: string
}

/** What the robot is like. */
export interface RobotOptions {
  readonly seed: number
  readonly map: FieldMap
  readonly mounts: readonly PoseDocument[]
  readonly faults: Faults
  /** A tag that hangs so far from where the map says, beside its faults: metres, to its left. */
  readonly displaced: { readonly id: number; readonly m: number }
  /** The camera 0 is turned by so much, beside its faults. */
  readonly turnedDeg: number
  readonly camera: { readonly width_px: number; readonly height_px: number; readonly fps: number }
}

const between = (from: PoseDocument, to: Pose): PoseDocument =>
  poseToDocument(compose(invert(poseFromDocument(from)), to))

/** Its cameras take their pictures at the same moments, so that what is far from there is not motion. */
export class SurveyedRobot {
  readonly ids: readonly string[]
  readonly #options: RobotOptions
  readonly #mounts: readonly Pose[]
  readonly #lenses: readonly number[]
  readonly #tags: ReadonlyMap<number, Pose>

  constructor(options: RobotOptions) {
    const { seed, map, mounts, faults, displaced, turnedDeg } = options
    const draw = chance(seed)
    const moved = (pose: PoseDocument, by: PoseDocument) => compose(poseFromDocument(pose), poseFromDocument(by))
    this.#options = options
    this.ids = mounts.map((_, n) => `camera-${n}`)
    this.#mounts = mounts.map((mount, n) => {
      const by = offsetBy(draw, faults.mount_m, faults.mount_deg)
      return moved(mount, n === 0 ? { ...by, yaw_deg: by.yaw_deg + turnedDeg } : by)
    })
    this.#lenses = mounts.map(() => faults.lens_share * draw.normal())
    this.#tags = new Map(
      map.tags.map(({ id, pose }) => {
        const by = offsetBy(draw, faults.map_m, faults.map_deg)
        return [id, moved(pose, id === displaced.id ? { ...by, y_m: by.y_m + displaced.m } : by)]
      }),
    )
  }

  /** A camera, by where it is said to sit and tags are said to hang. */
  sourceOf(n: number, mount: PoseDocument, map: FieldMap): StreamManifest['source'] {
    return {
      backend: 'synthetic',
      ...this.#options.camera,
      exposure_us: 500,
      seed: 1,
      motion: 'drive',
      drive: { seed: this.#options.seed, speed_m_s: 2, spin_deg_s: 120 },
      faults: {
        mount: between(mount, this.#mounts[n] as Pose),
        lens_share: this.#lenses[n] as number,
        tags: map.tags.map(({ id, pose }) => ({ id, offset: between(pose, this.#tags.get(id) as Pose) })),
      },
    }
  }

  /** What is said of it at first. */
  manifests(): readonly (StreamManifest & { readonly id: string })[] {
    const { map, mounts } = this.#options
    return mounts.map((pose, n) => ({
      id: this.ids[n] as string,
      source: this.sourceOf(n, pose, map),
      pose,
      map_id: map.id,
    }))
  }

  /** How far a tag hangs from where the first map says, metres. */
  offOf(id: number): number {
    const tag = this.#options.map.tags.find((each) => each.id === id)
    const hangs = this.#tags.get(id)
    return tag && hangs ? Math.hypot(hangs.x - tag.pose.x_m, hangs.y - tag.pose.y_m, hangs.z - tag.pose.z_m) : 0
  }

  /** Its cameras and tags stay where they are, by what is said of them now. */
  async stay(service: Service): Promise<void> {
    for (const [n, id] of this.ids.entries()) {
      const { pose, map_id } = (await ask<{ spec: StreamManifest }>(service, 'GET', `/v1/streams/${id}`)).spec
      const map = await ask<FieldMap>(service, 'GET', `/v1/localization/maps/${map_id}`)
      await ask(service, 'PATCH', `/v1/streams/${id}`, {
        patch: { source: this.sourceOf(n, pose as PoseDocument, map) },
      })
    }
  }
}

/** Asks the service; a refusal is an error. */
export const ask = async <Body>({ url }: Service, method: string, path: string, body?: unknown): Promise<Body> => {
  const response = await fetch(url + path, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`)
  return (text ? JSON.parse(text) : undefined) as Body
}

/** Which poses are looked at. */
export interface Counted {
  readonly count: number
  /** In which a camera has a part; default any. */
  readonly with?: string
}

/** How far so many sure poses are from the truth of their frames, metres, from now on. */
export const errorsOf = async (
  t: Lifetime,
  { url }: Service,
  ids: readonly string[],
  { count, with: streamId }: Counted,
): Promise<readonly number[]> => {
  const query = `localization=true&streams=${ids.join(',')}&outputs=truth&rate=240`
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/results?${query}`)
  t.after(() => socket.close())
  const solved = new Map<number, LocalizationSolve>()
  const errors = new Map<number, number>()
  const truths = new Map<number, PoseDocument>()
  const isCounted = (solve: LocalizationSolve | undefined) =>
    solve?.pose &&
    solve.is_sure &&
    (streamId === undefined || solve.cameras.some((camera) => camera.stream_id === streamId && camera.tags_used > 0))
  const enough = Promise.withResolvers<void>()
  socket.addEventListener('message', ({ data }) => {
    const { localization, captured_us, outputs } = JSON.parse(data)
    if (outputs) truths.set(captured_us, outputs.truth.rows[0].field_robot)
    else if (isCounted(localization)) solved.set(localization.captured_us, localization)
    for (const [us, { pose }] of solved) {
      const truth = truths.get(us)
      if (truth && pose) errors.set(us, Math.hypot(pose.x_m - truth.x_m, pose.y_m - truth.y_m))
    }
    if (errors.size >= count) enough.resolve()
  })
  await enough.promise
  socket.close()
  return [...errors.values()]
}

/** Runs a survey to its end, and answers with what it proposes. */
export const survey = async (
  service: Service,
  wanted: { readonly rounds: number; readonly duration_s: number },
): Promise<{ readonly id: string; readonly spec: StoredSurvey }> => {
  type Job = { readonly id: string; readonly state: string; readonly result?: { readonly survey_id: string } }
  const { id } = await ask<Job>(service, 'POST', '/v1/localization/surveys', wanted)
  for (;;) {
    const job = await ask<Job>(service, 'GET', `/v1/jobs/${id}`)
    if (job.state === 'done' && job.result)
      return ask(service, 'GET', `/v1/localization/surveys/${job.result.survey_id}`)
    if (job.state !== 'queued' && job.state !== 'running') throw new Error(`the survey is ${JSON.stringify(job)}`)
    await delay(200)
  }
}
