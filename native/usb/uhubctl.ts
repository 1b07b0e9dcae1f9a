// The program uhubctl: which hubs it can switch, and the order for it.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { UsbPortRef } from '../../machines/usb/reading.ts'
import { complaintOf, type ProgramsPort, programFault } from '../programs/port.ts'

const PROGRAM = 'uhubctl'

/** A port that it can switch. */
export interface SwitchedPort extends UsbPortRef {
  /** Its hub switches all of its ports together. */
  readonly isGanged: boolean
}

/** What it can do here; isInstalled false: it is not there. */
export interface UhubctlPorts {
  readonly isInstalled: boolean
  readonly ports: readonly SwitchedPort[]
}

/** Asks it. One that may not see the hubs finds none. */
export const uhubctlPorts = (programs: ProgramsPort): Effect.Effect<UhubctlPorts> =>
  Effect.match(programs.run({ program: PROGRAM, args: [] }), {
    onSuccess: ({ stdout }) => ({ isInstalled: true, ports: portsIn(stdout) }),
    onFailure: ({ kind }) => ({ isInstalled: kind !== 'missing', ports: [] }),
  })

/** Has it switch a port, and only that half of the socket. */
export const switchByUhubctl = (
  programs: ProgramsPort,
  { hub, port }: UsbPortRef,
  isOn: boolean,
): Effect.Effect<void, Fault> => {
  const args = ['-e', '-l', hub.replace(/^usb/, ''), '-p', String(port), '-a', isOn ? 'on' : 'off']
  const what = `the port ${port} of ${hub} is not switched`
  return Effect.flatMap(Effect.mapError(programs.run({ program: PROGRAM, args }), programFault(what)), (end) =>
    end.exitCode === 0
      ? Effect.void
      : Effect.fail({ code: 'device.failed', detail: `${what}: ${complaintOf(PROGRAM, end)}` } as const),
  )
}

// Current status for hub 1-1 [2109:3431 USB2.0 Hub, USB 2.10, 4 ports, ppps]
const HUB = /^Current status for hub (\d+(?:-[\d.]+)?) \[(.*)\]/
//   Port 2: 0100 power
const PORT = /^\s+Port (\d+):/

const portsIn = (printed: string): readonly SwitchedPort[] => {
  const found: SwitchedPort[] = []
  let hub: Omit<SwitchedPort, 'port'> | undefined
  for (const line of printed.split('\n')) {
    const [, at, facts] = HUB.exec(line) ?? []
    if (at !== undefined && facts !== undefined)
      hub = { hub: at.includes('-') ? at : `usb${at}`, isGanged: /,\s*ganged\b/.test(facts) }
    const [, port] = PORT.exec(line) ?? []
    if (hub && port !== undefined) found.push({ ...hub, port: Number(port) })
  }
  return found
}
