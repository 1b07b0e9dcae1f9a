// All machines by name, for docs/machines.md and for the test that each of them is walked.
import type { AnyStateMachine } from 'xstate'
import { errorKeeperMachine } from './error-keeper.ts'
import { extcamMachine } from './extcam.ts'
import { httpServerMachine } from './http-server.ts'
import { nt4CandidateMachine } from './nt4-candidate.ts'
import { nt4LinkMachine } from './nt4-link.ts'
import { nt4ServerMachine } from './nt4-server.ts'
import { reconcilerMachine } from './reconciler.ts'
import { settingsWriterMachine } from './settings-writer.ts'
import { streamMachine } from './stream.ts'

/** The name is the machine's id and its file's; it is exported as `<name>Machine`. Add a new machine here. */
export const machines: Readonly<Record<string, AnyStateMachine>> = {
  'error-keeper': errorKeeperMachine,
  extcam: extcamMachine,
  'http-server': httpServerMachine,
  'nt4-candidate': nt4CandidateMachine,
  'nt4-link': nt4LinkMachine,
  'nt4-server': nt4ServerMachine,
  reconciler: reconcilerMachine,
  'settings-writer': settingsWriterMachine,
  stream: streamMachine,
}
