// The power of cameras that hang: what a stream may have done by itself, without anybody being asked.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { MAX_POWER_ORDER_MS } from '../../machines/usb/usb-power.ts'
import { type Clock, monotonicMs } from '../../native/clock/port.ts'
import { ask } from '../ask.ts'
import type { CameraPower } from '../cameras/tokens.ts'
import type { Directory } from '../directory.ts'
import { pathOf, type UsbDevices } from './usb-devices.ts'

/** What it works with. */
export interface CameraPowerParts {
  readonly devices: UsbDevices
  readonly directory: Pick<Directory, 'actor'>
  readonly clock: Pick<Clock, 'monotonicUs'>
}

/** A camera that hangs again and again is broken, and its neighbours shall not be disturbed for it in every minute. */
const MIN_BETWEEN_MS = 10 * 60_000

/** Makes it; it remembers when which ports were switched. */
export const cameraPower = ({ devices, directory, clock }: CameraPowerParts): CameraPower => {
  const last = new Map<string, number>()
  return {
    cycle: ({ folder, stream_id }) =>
      Effect.suspend(() => {
        const found = devices.switchOf(pathOf(folder))
        if (!found) return refused('nothing can switch the power of its port')
        const others = devices.streams().filter((each) => each.stream_id !== stream_id)
        const objections = devices.objections(found, null, others)
        if (objections.length > 0) return refused(objections.join('; '))
        const nowMs = monotonicMs(clock)
        const before = last.get(found.id)
        if (before !== undefined && nowMs - before < MIN_BETWEEN_MS)
          return refused(`that was done ${Math.round((nowMs - before) / 60_000)} minutes ago already`)
        const actor = directory.actor('usb')
        if (!actor) return refused('the part that switches is being restarted')
        last.set(found.id, nowMs)
        const order = { type: 'usb.switch', switch_id: found.id, action: 'cycle' } as const
        return Effect.flatMap(ask(actor, order, MAX_POWER_ORDER_MS), (reply) =>
          reply.outcome === 'done' ? Effect.void : Effect.fail(reply.fault),
        )
      }),
  }
}

const refused = (detail: string): Effect.Effect<never, Fault> => Effect.fail({ code: 'device.failed', detail })
