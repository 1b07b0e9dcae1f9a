// A survey as a job does it, of a simulated drive, solved in a thread of its own.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Fiber from 'effect/Fiber'
import { createActor } from 'xstate'
import type { Directory } from '../../../actors/directory.ts'
import { createEventBus } from '../../../actors/events/event-bus.ts'
import { surveyWork } from '../../../actors/localization/survey-work.ts'
import { settingsActor } from '../../../actors/settings/settings-writer-actor.ts'
import type { StreamRegistry } from '../../../actors/stream/stream-registry.ts'
import { surveyExample } from '../../../api/localization/surveys.ts'
import { Latest } from '../../../machines/latest.ts'
import { poseToDocument } from '../../../machines/localization/pose.ts'
import type { Proposal } from '../../../machines/localization/rig-and-map/proposal.ts'
import { solveSurvey } from '../../../machines/localization/rig-and-map/solve-survey.ts'
import { MAX_SURVEYS, surveyCollection } from '../../../machines/localization/rig-and-map/stored-survey.ts'
import { surveyIdOf } from '../../../machines/localization/rig-and-map/survey-id.ts'
import type { SolvedRound } from '../../../machines/localization/round-solver.ts'
import { LocalizationSolver } from '../../../machines/localization/solve-rounds.ts'
import { collectionsByName } from '../../../machines/settings/collection.ts'
import { createSettingsStore, documentsOf } from '../../../machines/settings/store.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { solveInThread } from '../../../native/rig/thread.ts'
import { untilState } from '../../support/clock/clock.ts'
import { SURVEY_FAULTS, surveyOf } from '../../support/localization/surveys.ts'
import { DEFAULT_CONFIG, World } from '../../support/localization/worlds.ts'

const WRONG = 26

test('the thread finds what is found without one', async () => {
  const world = new World({ seed: 40, faults: SURVEY_FAULTS, displaced: { [WRONG]: [0.05, 0, 0] } })
  const { rounds } = surveyOf(world, 60)
  const mounts = new Map(world.cameras.map(({ streamId, nominal }) => [streamId, poseToDocument(nominal)]))
  const input = { map: world.map, hash: 'some', config: DEFAULT_CONFIG, rounds, mounts }
  const shares: number[] = []

  const proposal = await Effect.runPromise(Effect.scoped(solveInThread(input, (share) => shares.push(share))))

  assert.deepEqual(proposal, solveSurvey(input))
  assert.ok(shares.length > 2)
  assert.deepEqual(
    proposal?.tags.filter(({ is_wrong }) => is_wrong).map(({ id }) => id),
    [WRONG],
  )
})

test('a drive that sees too little fails with a sentence that says what to do', async () => {
  const { work } = driving(new World({ seed: 41 }))

  const exit = await Effect.runPromiseExit(Effect.scoped(work({ rounds: 50, durationMs: 1 })))

  assert.ok(Exit.isFailure(exit))
  assert.match(JSON.stringify(exit), /survey\.too_short/)
  assert.match(JSON.stringify(exit), /drive slowly over the whole field/)
})

test('it collects from rounds as they are solved, and begins again with another map', async () => {
  const world = new World({ seed: 42, faults: SURVEY_FAULTS })
  const { work, drive, handed } = driving(world)

  const running = Effect.runPromiseExit(Effect.scoped(work({ rounds: 40, durationMs: 60_000 })))
  drive(20, 'before')
  drive(60, 'after')
  await running

  const [input] = handed
  assert.equal(input?.hash, 'after')
  assert.equal(input?.rounds.length, 40)
})

test('a survey that is cancelled while the robot drives listens to no rounds any more', async () => {
  const { work, drive, told } = driving(new World({ seed: 43, faults: SURVEY_FAULTS }))
  const running = Effect.runFork(Effect.scoped(work({ rounds: 40, durationMs: 60_000 })))
  drive(5, 'some')
  const before = told.length

  await Effect.runPromise(Fiber.interrupt(running))
  drive(5, 'some')

  assert.ok(before > 0)
  assert.equal(told.length, before)
})

test('the oldest survey makes room in the write that stores the new one', async (t) => {
  const documents = new FakeDocuments()
  let writes = 0
  documents.disk = Effect.sync(() => {
    writes += 1
  })
  const kept = Array.from({ length: MAX_SURVEYS }, (_, n) => ({ ...surveyExample, made_at_ms: 1_000 - n }))
  documents.documents = kept.map((document, n) => {
    const id = surveyIdOf(document.made_at_ms)
    return { place: BigInt(n), collection: surveyCollection.name, id, revision: 1, value: document }
  })
  const { store, actor } = await settingsOn(t, documents)
  const { work, drive } = driving(new World({ seed: 44, faults: SURVEY_FAULTS }), {
    directory: { settings: store, actor: () => actor } as unknown as Directory,
    proposal: surveyExample.proposal,
  })

  const running = Effect.runPromise(Effect.scoped(work({ rounds: 40, durationMs: 60_000 })))
  drive(60, 'some')
  const { survey_id } = (await running) as { readonly survey_id: string }

  assert.equal(writes, 1)
  const left = kept.slice(0, -1).map(({ made_at_ms }) => surveyIdOf(made_at_ms))
  assert.deepEqual(Object.keys(documentsOf(store, surveyCollection)).toSorted(), [...left, survey_id].toSorted())
})

const settingsOn = async (t: TestContext, port: FakeDocuments) => {
  const documents = await Effect.runPromise(Effect.scoped(port.open))
  const store = createSettingsStore()
  const events = createEventBus({ epoch: 'e', nowMs: () => 0 })
  const input = { collections: collectionsByName([surveyCollection]) }
  const actor = createActor(settingsActor({ documents, store, events, record: () => {} }), { input }).start()
  t.after(() => actor.stop())
  await untilState(actor, ({ value }) => value === 'ready')
  return { store, actor }
}

interface Service {
  readonly directory?: Pick<Directory, 'settings' | 'actor'>
  /** What is found of every drive. */
  readonly proposal?: Proposal
}

/** A service that has nothing but rounds of a simulated robot. */
function driving(world: World, { directory, proposal }: Service = {}) {
  const rounds = new Latest<SolvedRound>()
  const handed: Parameters<typeof solveInThread>[0][] = []
  const streams = world.cameras.map(({ streamId, nominal }) => ({
    id: streamId,
    manifest: { pose: poseToDocument(nominal) },
  }))
  const parts = {
    localization: { rounds },
    directory: {
      settings: createSettingsStore(),
      clock: { nowMs: () => 1_767_225_600_000 },
      actor: () => undefined,
      ...directory,
    } as unknown as Directory,
    streams: { all: () => streams } as unknown as StreamRegistry,
    maps: () => new Map([[world.map.id, world.map]]),
    solve: (input: Parameters<typeof solveInThread>[0]) => {
      handed.push(input)
      return Effect.succeed(proposal)
    },
  }
  const told: object[] = []
  let atUs = 1_000_000
  const drive = (count: number, hash: string) => {
    for (let n = 0; n < count; n++) {
      const solver = new LocalizationSolver({ map: world.map, hash, config: DEFAULT_CONFIG, revision: 1 })
      atUs += 1_000_000
      const round = { frames: world.frames(world.anyPose(), atUs), capturedUs: atUs }
      rounds.set({ round, solved: solver.solve(round) })
    }
  }
  const work = (request: { readonly rounds: number; readonly durationMs: number }) =>
    surveyWork(parts, request)(
      (progress) => told.push(progress),
      (effect) => effect,
    )
  return { work, drive, handed, told }
}
