// The name of the device, asked for and changed.
import {
  type HostnameActions,
  type HostnameEffects,
  hostnameMachine,
} from '../../machines/hostname/hostname-machine.ts'
import type { Latest } from '../../machines/latest.ts'
import type { HostnamePort } from '../../native/hostname/port.ts'
import { fromEffect } from '../run.ts'

/** slot: where all who must know find the name in force. */
export interface HostnameParts {
  readonly port: HostnamePort
  readonly slot: Latest<string>
}

/** Takes `hostname.set`, which is done when the device has the name. */
export const hostnameActor = ({ port, slot }: HostnameParts) =>
  hostnameMachine.provide({
    actors: {
      readName: fromEffect(() => port.read),
      applyName: fromEffect((name: string) => port.write(name)),
    } satisfies Required<HostnameEffects>,
    actions: {
      reportName: (_, name) => {
        if (name !== slot.value) slot.set(name)
      },
    } satisfies Required<HostnameActions>,
  })
