// A survey of map and rig as work for jobs: it collects rounds while somebody drives about, lets them be solved, and
// stores what is proposed.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { localizationConfigIn } from '../../machines/localization/config-collection.ts'
import type { FieldMaps } from '../../machines/localization/field-map.ts'
import { mountOf } from '../../machines/localization/observation.ts'
import {
  compose,
  type identityPose,
  invert,
  type PoseDocument,
  poseFromDocument,
} from '../../machines/localization/pose.ts'
import { MAX_SURVEYS, surveyCollection } from '../../machines/localization/rig-and-map/stored-survey.ts'
import { Survey, type SurveyRequest } from '../../machines/localization/rig-and-map/survey.ts'
import { surveyIdOf } from '../../machines/localization/rig-and-map/survey-id.ts'
import type { SolvedRound } from '../../machines/localization/round-solver.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { deleteOrder, type PartOrder, putOrder, severalOrder } from '../../machines/settings/commit.ts'
import { documentsOf } from '../../machines/settings/store.ts'
import type { SurveySolver } from '../../native/rig/port.ts'
import type { Directory } from '../directory.ts'
import type { Work } from '../jobs/jobs.ts'
import { settingsWriter } from '../settings/write-settings.ts'
import type { StreamRegistry } from '../stream/stream-registry.ts'
import type { Localization } from './tokens.ts'

/** What it takes. */
export interface SurveyParts {
  readonly localization: Pick<Localization, 'rounds'>
  readonly directory: Pick<Directory, 'actor' | 'settings' | 'clock'>
  readonly streams: Pick<StreamRegistry, 'all'>
  readonly maps: FieldMaps
  readonly solve: SurveySolver
}

/** With fewer nothing is found, and much is guessed. */
const MIN_ROUNDS = 30

/** A mount that the robot sets itself is not what is stored. */
const SAME_MOUNT = 1e-6

/** The work of a job. Its result is `{ survey_id }`. */
export const surveyWork =
  (parts: SurveyParts, { rounds, durationMs }: SurveyRequest): Work =>
  (report) =>
    Effect.gen(function* () {
      const drive = new Drive(parts, rounds, (count) =>
        report({
          percent: (90 * count) / rounds,
          stage: 'collecting',
          message: `${count} of ${rounds} places; drive about slowly, and turn`,
        }),
      )
      const driven = Effect.raceFirst(drive.isFull, Effect.sleep(durationMs))
      yield* Effect.ensuring(
        driven,
        Effect.sync(() => drive.stop()),
      )
      const { by, kept } = drive
      if (!by || kept.rounds.length < MIN_ROUNDS) return yield* Effect.fail(tooShort(kept.rounds.length))
      const map = parts.maps().get(by.id)
      if (!map) return yield* Effect.fail(tooShort(0))
      const { value: config } = localizationConfigIn(parts.directory.settings)
      report({ percent: 90, stage: 'solving', message: `${kept.rounds.length} places are solved together` })
      const input = { map, hash: by.hash, config, rounds: kept.rounds, mounts: mountsOf(parts) }
      const proposal = yield* parts.solve(input, (share) => report({ percent: 90 + 10 * share }))
      if (!proposal) return yield* Effect.fail(tooShort(kept.rounds.length))
      const made_at_ms = parts.directory.clock.nowMs()
      const survey_id = surveyIdOf(made_at_ms)
      const survey = putOrder(surveyCollection, survey_id, { made_at_ms, proposal, accepted: null })
      yield* settingsWriter(parts.directory)(severalOrder([...roomFor(parts), survey]))
      return { survey_id }
    })

/** Collects rounds of one map and rig; begins again when these are others. */
class Drive {
  /** By which map. */
  by: { readonly id: string; readonly hash: string } | undefined
  kept: Survey
  readonly #wanted: number
  readonly #parts: SurveyParts
  readonly #onKept: (count: number) => void
  readonly #full = Promise.withResolvers<void>()
  #revision = Number.NaN

  readonly stop: () => void
  readonly isFull = Effect.promise(() => this.#full.promise)

  constructor(parts: SurveyParts, wanted: number, onKept: (count: number) => void) {
    this.#parts = parts
    this.#wanted = wanted
    this.#onKept = onKept
    this.kept = new Survey(wanted)
    this.stop = parts.localization.rounds.subscribe((round) => this.#take(round))
  }

  #take({ round, solved: { solved, isSure, map, revision, motions, motionStds } }: SolvedRound): void {
    if (!solved || !isSure || !motions || !motionStds) return
    if (this.by?.hash !== map.hash || this.by.id !== map.id || this.#revision !== revision) {
      this.by = map
      this.#revision = revision
      this.kept = new Survey(this.#wanted)
    }
    const mounts = mountsOf(this.#parts)
    const usable = round.frames.flatMap((frame, n) => {
      const stored = mounts.get(frame.streamId)
      const motion = motions[n]
      const motionStd = motionStds[n]
      const mount = mountOf(frame.observation)
      const isAsStored = stored && mount && isSame(mount, poseFromDocument(stored))
      return isAsStored && motion && motionStd ? [{ frame, motion, motionStd }] : []
    })
    const frames = usable.map(({ frame }) => ({ ...frame, observation: frame.observation.slice(), starts: [] }))
    const isKept = this.kept.add(
      {
        frames,
        motions: usable.map(({ motion }) => motion),
        motionStds: usable.map(({ motionStd }) => motionStd),
      },
      solved.pose,
      solved.stdXyM,
    )
    if (!isKept) return
    this.#onKept(this.kept.rounds.length)
    if (this.kept.isFull) this.#full.resolve()
  }
}

const isSame = (a: typeof identityPose, b: typeof identityPose): boolean => {
  const { x, y, z, qx, qy, qz } = compose(invert(a), b)
  return Math.hypot(x, y, z, qx, qy, qz) < SAME_MOUNT
}

const mountsOf = ({ streams }: SurveyParts): ReadonlyMap<string, PoseDocument> =>
  new Map(streams.all().flatMap(({ id, manifest: { pose } }) => (pose ? [[id, pose] as const] : [])))

/** The oldest makes room. */
const roomFor = ({ directory }: SurveyParts): readonly PartOrder[] => {
  const surveys = Object.entries(documentsOf(directory.settings, surveyCollection))
  const [oldest] = surveys.toSorted(([, a], [, b]) => a.value.made_at_ms - b.value.made_at_ms)
  return oldest && surveys.length >= MAX_SURVEYS ? [deleteOrder(surveyCollection, oldest[0])] : []
}

const tooShort = (count: number): Fault => ({
  code: 'survey.too_short',
  detail: oneLine`
    only ${count} places were seen well enough, and ${MIN_ROUNDS} are needed; drive slowly over the whole field while
    cameras see tags, and turn now and then
  `,
})
