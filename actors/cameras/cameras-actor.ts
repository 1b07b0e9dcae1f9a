// Looking for cameras: what is new is asked, recognised and stored, and everybody hears of what came and went.
import * as Effect from 'effect/Effect'
import { type AskedNode, mayAnswerSoon } from '../../machines/cameras/camera-info.ts'
import {
  type CamerasEffects,
  type CamerasEvent,
  camerasMachine,
  type Looked,
} from '../../machines/cameras/cameras-machine.ts'
import { cameraPresence } from '../../machines/cameras/events.ts'
import { unitChanges } from '../../machines/cameras/recognise.ts'
import { type CameraUnit, cameraCollection, uidFrom } from '../../machines/cameras/unit.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { changeOrder, deleteOrder, putOrder } from '../../machines/settings/commit.ts'
import { isSameJson } from '../../machines/settings/same-json.ts'
import type { Command } from '../../machines/supervision/actors.ts'
import type { CamerasPort } from '../../native/cameras/port.ts'
import type { EventBus } from '../events/event-bus.ts'
import { fromEffect, fromScoped } from '../run.ts'
import type { Cameras } from './cameras.ts'

/** What the list of cameras works with. */
export interface CamerasParts {
  readonly port: CamerasPort
  readonly cameras: Cameras
  readonly events: Pick<EventBus, 'publish'>
  /** The units that streams have. */
  readonly used: () => ReadonlySet<string>
  /** Has the settings store something. */
  readonly write: (order: Command<'settings'>) => Effect.Effect<void, Fault>
}

/** Looks whenever something is plugged in, and now and then. */
export const camerasActor = (parts: CamerasParts) =>
  camerasMachine.provide({
    actors: {
      lookForCameras: fromEffect(() => look(parts)),
      watchFolder: fromScoped<never, void, CamerasEvent>((_, { send, guard }) =>
        Effect.andThen(parts.port.watch(guard(() => send({ type: 'folder.changed' }))), Effect.never),
      ),
    } satisfies Required<CamerasEffects>,
  })

const look = (parts: CamerasParts): Effect.Effect<Looked, Fault> =>
  Effect.gen(function* () {
    const { port, cameras, used, write } = parts
    const found = yield* Effect.tapError(port.nodes, (fault) =>
      Effect.sync(() => cameras.show({ nodes: cameras.nodes, fault })),
    )
    const known = new Map(cameras.nodes.map((node) => [node.plugged + node.device, node]))
    const inUse = devicesOf(cameras, used())
    const knownOf = ({ plugged, device }: { readonly plugged: string; readonly device: string }) => {
      const before = known.get(plugged + device)
      if (!before?.answer.ok) return undefined
      // A camera that was busy is asked again, as the other program may have closed it; but not one that a stream of
      // ours has open, which asking would disturb.
      return before.answer.busy && !inUse.has(device) ? undefined : before.answer
    }
    const unknown = found.filter((node) => !knownOf(node))
    const answers = yield* port.ask(unknown.map(({ device }) => device))
    const nodes = found.map((node): AskedNode => {
      const answer = knownOf(node) ?? answers[unknown.indexOf(node)]
      return { ...node, answer: answer ?? { device: node.device, ok: false, detail: 'it was not asked' } }
    })
    const before = placesOf(cameras)
    if (!isSameJson(nodes, cameras.nodes) || cameras.fault || !cameras.hasLooked) cameras.show({ nodes, fault: null })
    const { store, forget } = unitChanges(cameras.recognised, used(), freshUid)
    const writes = Effect.gen(function* () {
      for (const uid of forget) yield* write(deleteOrder(cameraCollection, uid))
      for (const unit of store) yield* write(storeOrder(unit, cameras.units))
    })
    // Also when one of them fails: for the next look it is no difference any more.
    yield* Effect.ensuring(
      writes,
      Effect.sync(() => tell(parts, before, placesOf(cameras))),
    )
    return { again: nodes.some(({ answer }) => mayAnswerSoon(answer)) }
  })

/** Where the cameras of streams are found now. */
const devicesOf = ({ recognised }: Cameras, used: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(recognised.present.flatMap(({ node, unit }) => (used.has(unit.camera_uid) ? [node.device] : [])))

/** What users say of a unit that was met before stays as they say it, also when they do just now. */
const storeOrder = (unit: CameraUnit, known: readonly CameraUnit[]): Command<'settings'> =>
  known.some(({ camera_uid }) => camera_uid === unit.camera_uid)
    ? changeOrder(cameraCollection, unit.camera_uid, ({ controls, claim }) => ({ ...unit, controls, claim }))
    : putOrder(cameraCollection, unit.camera_uid, unit)

const freshUid = (): string => uidFrom(crypto.getRandomValues(new Uint8Array(8)))

/** By uid, the device file of each camera that is there, and plugged, which differs each time it is plugged in. */
const placesOf = ({
  recognised,
}: Cameras): ReadonlyMap<string, { readonly device: string; readonly plugged: string }> =>
  new Map(recognised.present.map(({ node, unit }) => [unit.camera_uid, node]))

type Places = ReturnType<typeof placesOf>

const tell = ({ events }: CamerasParts, before: Places, after: Places): void => {
  for (const camera_uid of before.keys())
    if (!after.has(camera_uid))
      events.publish(cameraPresence, { resource_ref: { camera_uid }, data: { present: false, device: null } })
  for (const [camera_uid, { device, plugged }] of after)
    if (before.get(camera_uid)?.plugged !== plugged)
      events.publish(cameraPresence, { resource_ref: { camera_uid }, data: { present: true, device } })
}
