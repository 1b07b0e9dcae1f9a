// What localization takes of the thread that everything in the service runs on: its child, from the results of four
// cameras to the slot with the newest round, and its table to a robot that reads nothing, in one thread and without
// waiting. The robot drives through a simulated world (test/support/localization/worlds.ts) and says its odometry.

import { TableFeed } from '../../../actors/localization/table-feed.ts'
import { map2026Welded } from '../../../machines/localization/maps/season-2026.ts'
import { tagCountOf } from '../../../machines/localization/observation.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import type { RoundFrame } from '../../../machines/localization/round.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { ODOMETRY_TOPIC, ODOMETRY_TYPE } from '../../../machines/own-table/localization-topics.ts'
import { HandSession } from '../../support/clock/hand-clock.ts'
import { solvingStreams } from '../../support/localization/solving-streams.ts'
import { World } from '../../support/localization/worlds.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { rowsOver } from '../lab/row.ts'

const TURNS = 5
const CAMERAS = 4
const FPS = 60
const SECONDS = 20
const ROUNDS = FPS * SECONDS
const LATENCY_US = 30_000
const ODOMETRY_LATENCY_US = 5_000

export const localizationCost: Measurement = async (lab) => {
  const turns: Turn[] = []
  for (let n = 0; n < TURNS; n++) {
    turns.push(await drive(lab, n))
    lab.say(`drive ${n + 1} of ${TURNS}`)
  }
  const row = rowsOver(turns, `${TURNS} drives of ${SECONDS} s`)
  const share = (us: number) => (100 * us) / (SECONDS * 1e6)
  const tags = turns.reduce((sum, turn) => sum + turn.tags, 0) / (TURNS * ROUNDS)
  return [
    row(
      `a round of four cameras and ${tags.toFixed(1)} tags: solve alone`,
      'us',
      ({ solveUs, rounds }) => solveUs / rounds,
      {
        atMost: 500,
      },
    ),
    row('240 sightings a second, above none', '% of a core', ({ withUs, withoutUs }) => share(withUs - withoutUs), {
      atMost: 3,
    }),
    row('of that: all but the solves', '% of a core', ({ withUs, withoutUs, solveUs }) =>
      share(withUs - withoutUs - solveUs),
    ),
    row('rounds a second', '', ({ rounds }) => rounds / SECONDS),
  ]
}

/** What one drive took, with localization and without, and how many rounds became of it. */
interface Turn {
  readonly withUs: number
  readonly withoutUs: number
  readonly solveUs: number
  readonly rounds: number
  readonly tags: number
}

/** It keeps nothing of what is written. */
class ForgetfulSession extends HandSession {
  override write(): boolean {
    return true
  }
}

const cpuUs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

const IDS = Array.from({ length: CAMERAS }, (_, n) => `camera-${n}`)

const placeAt = (seconds: number) => ({
  x: 8 + 5 * Math.cos(seconds / 3),
  y: 4 + 2 * Math.sin(seconds / 3),
  yaw: seconds,
})

/** What all cameras see along the way, at one time after the other. */
const framesOf = (seed: number): readonly (readonly RoundFrame[])[] => {
  const world = new World({ seed, cameras: CAMERAS })
  return Array.from({ length: ROUNDS }, (_, n) => {
    const { x, y, yaw } = placeAt(n / FPS)
    const yaw_deg = ((180 * yaw) / Math.PI) % 360
    return world.frames(poseFromDocument({ x_m: x, y_m: y, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg }))
  })
}

const drive = async (lab: Lab, seed: number): Promise<Turn> => {
  const frames = framesOf(seed)
  const solving = { us: 0, rounds: 0 }
  const { clock, maps, mapsChanged, showAt, advance, link, runtime, configure, crashes } = await solvingStreams(
    { after: lab.defer },
    IDS,
    (by) => {
      const solver = new LocalizationSolver(by)
      return {
        heading: (yaw, atUs) => solver.heading(yaw, atUs),
        odometry: (sample) => solver.odometry(sample),
        measured: (measurement) => solver.measured(measurement),
        inertial: (yaw, atUs, runaway) => solver.inertial(yaw, atUs, runaway),
        headingWarningAt: (atUs) => solver.headingWarningAt(atUs),
        solve: (round) => {
          const beganUs = cpuUs()
          const solved = solver.solve(round)
          solving.us += cpuUs() - beganUs
          solving.rounds += 1
          return solved
        },
      }
    },
  )
  maps.set('demo', { ...map2026Welded, id: 'demo' })
  mapsChanged()
  const session = new ForgetfulSession(clock)
  link.set(session)
  const feed = new TableFeed({ localization: runtime, nowUs: clock.monotonicUs }, session, {
    guard: (listener) => listener,
    send: () => {},
    isCurrent: () => true,
  })
  lab.defer(() => feed.stop())
  /** The whole drive. */
  const play = (): number => {
    const beganUs = cpuUs()
    frames.forEach((round, n) => {
      const exposedUs = clock.monotonicUs() - LATENCY_US
      for (const { streamId, observation } of round) showAt(streamId, exposedUs, observation)
      const { x, y, yaw } = placeAt(n / FPS)
      session.deliver(
        ODOMETRY_TOPIC,
        ODOMETRY_TYPE,
        new Uint8Array(Float64Array.of(x, y, yaw).buffer),
        clock.monotonicUs() - ODOMETRY_LATENCY_US,
      )
      advance(1000 / FPS)
    })
    return cpuUs() - beganUs
  }
  play() // what runs often is compiled by then
  Object.assign(solving, { us: 0, rounds: 0 })
  const withUs = play()
  const { us: solveUs, rounds } = solving
  configure({ enabled: false })
  const withoutUs = play()
  if (crashes.length > 0) throw crashes[0]
  const tags = frames.flat().reduce((sum, { observation }) => sum + tagCountOf(observation), 0)
  return { withUs, withoutUs, solveUs, rounds, tags }
}
