// A console session: a program on a terminal of this device, which a person sees and types into from elsewhere.
import type { Static } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** So many at once: each is a process of 40 MB beside its program. */
export const MAX_CONSOLE_SESSIONS = 4

/** What a session can run; there is no way to name another program. */
const PROGRAMS = {
  shell: 'bash as at a sign-in, or sh where there is no bash',
  top: 'the processes of the device, by htop, or top where there is no htop',
  log: 'the lines that the journal has of this service, and those that come',
} as const
export type ConsoleProgram = keyof typeof PROGRAMS
export const CONSOLE_PROGRAMS = Object.keys(PROGRAMS) as readonly ConsoleProgram[]

/** Which program, on the wire. */
export const ConsoleProgramName = enumOf(PROGRAMS, 'ConsoleProgram')

const STATES = {
  starting: 'its program does not run yet',
  open: 'somebody is attached',
  detached: 'its program runs, and nobody is attached',
  ending: 'its program and all that it started are being ended',
} as const
export type ConsoleState = keyof typeof STATES

/** The state of a session, on the wire. */
export const ConsoleStateName = enumOf(STATES, 'ConsoleState')

const EXAMPLE_ID = '3f9a12bc-1'

/** `3f9a12bc-1`: of the run of the service, and a number; never given twice. */
export const ConsoleSessionId = Type.String({
  pattern: '^[0-9a-z]{1,16}-[1-9][0-9]{0,8}$',
  examples: [EXAMPLE_ID],
  description: 'Lower-case letters and digits, a hyphen and a number. Of the session; no other one ever has it.',
})

/** How wide a terminal is. */
export const TerminalColumns = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'The width of the terminal, in characters.',
})
/** How high a terminal is. */
export const TerminalRows = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'The height of the terminal, in lines.',
})

/** How large a terminal is, in characters. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** The terminal of a session that says nothing of it: that of the first terminals. */
export const DEFAULT_SIZE: TerminalSize = { columns: 80, rows: 24 }

/** What a session is made of. */
export const NewConsoleSession = Type.Object(
  {
    program: Type.Optional(ConsoleProgramName),
    columns: Type.Optional(TerminalColumns),
    rows: Type.Optional(TerminalRows),
  },
  {
    ...strict,
    title: 'NewConsoleSession',
    description: 'What shall run, and how large its terminal is. Default: a shell, 80 by 24.',
  },
)
export type NewConsoleSession = Static<typeof NewConsoleSession>

/** A session as everybody sees it who may. */
export const ConsoleSession = Type.Object(
  {
    session_id: ConsoleSessionId,
    program: ConsoleProgramName,
    state: ConsoleStateName,
    columns: TerminalColumns,
    rows: TerminalRows,
    created_at_ms: Type.Integer({ minimum: 0, description: 'Unix time.' }),
    created_from: Type.String({ description: 'The network address that it was asked for from.' }),
    attached_from: Type.Union([Type.String(), Type.Null()], {
      description: 'The network address of whoever is attached; null: nobody is.',
    }),
  },
  { ...strict, title: 'ConsoleSession', description: 'A program on a terminal of this device.' },
)
export type ConsoleSession = Static<typeof ConsoleSession>

export const consoleSessionExample: ConsoleSession = {
  session_id: EXAMPLE_ID,
  program: 'shell',
  state: 'detached',
  ...DEFAULT_SIZE,
  created_at_ms: 1_769_817_600_000,
  created_from: '192.168.7.20',
  attached_from: null,
}

/** How the program of a session ended by itself. */
export interface ProgramExit {
  readonly exitCode: number | null
  /** As `SIGTERM`; null: by none. */
  readonly signal: string | null
}

const END_REASONS = {
  exited: 'its program ended by itself',
  deleted: 'somebody ended it',
  idle: 'nothing was typed for an hour',
  abandoned: 'nobody was attached for a quarter of an hour',
  failed: 'it could not be started, or its terminal was lost',
  stopped: 'the service stops',
} as const
export type ConsoleEndReason = keyof typeof END_REASONS

/** Why a session ended, on the wire. */
export const ConsoleEndReasonName = enumOf(END_REASONS, 'ConsoleEndReason')

/** The end of a session. detail: for people; none where the reason says it all. */
export interface ConsoleEnding extends Partial<ProgramExit> {
  readonly reason: ConsoleEndReason
  readonly detail?: string
}

/** The end as a sentence. */
export const endingText = ({ reason, detail, exitCode = null, signal = null }: ConsoleEnding): string => {
  if (detail !== undefined) return detail
  if (reason !== 'exited') return END_REASONS[reason]
  return signal === null ? `its program ended with the code ${exitCode}` : `its program was ended by ${signal}`
}

/** What GET /v1/device/console says. */
export const DeviceConsole = Type.Object(
  {
    available: Type.Boolean({ description: 'Whether a shell can be had through this service.' }),
    enabled: Type.Boolean({ description: 'Whether the service was started so that there is one.' }),
    detail: Type.String({ description: 'What is true, and how one gets a shell.' }),
    user: Type.String({ description: 'As whom the programs run.' }),
    programs: Type.Array(ConsoleProgramName, { description: 'Those that are there.' }),
  },
  { ...strict, title: 'DeviceConsole', description: 'A shell on the device.' },
)
export type DeviceConsole = Static<typeof DeviceConsole>

/** What the device has for consoles. */
export interface ConsoleMeans {
  /** As whom programs run. */
  readonly user: string
  readonly programs: readonly ConsoleProgram[]
  /** Why there are none at all; null: there are. */
  readonly absent: string | null
  /** Whether the kernel lets no program have more rights than the service: then there is no sudo. */
  readonly hasNoNewRights: boolean
}

/** isEnabled: by how the service was started. */
export const deviceConsole = (isEnabled: boolean, means: ConsoleMeans): DeviceConsole => ({
  available: isEnabled && means.absent === null,
  enabled: isEnabled,
  detail: detailOf(isEnabled, means),
  user: means.user,
  programs: [...means.programs],
})

const detailOf = (isEnabled: boolean, { absent, user, hasNoNewRights }: ConsoleMeans): string => {
  if (absent !== null) return `There is no shell through this service: ${absent}. SSH, or a keyboard and a screen, do.`
  if (!isEnabled)
    return oneLine`
      The console is off, as it is on a network until somebody turns it on where the service is started: --console on,
      or VEDETTE_CONSOLE=on in /etc/default/vedette, then a restart of the service. It then takes the token.
    `
  const limits = hasNoNewRights ? ', without sudo, and may write only what the service may write' : ''
  return `POST /v1/console/sessions starts a shell. It runs as the user ${user}${limits}.`
}
