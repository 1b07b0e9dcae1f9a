// Why a connection has ended, as far as its socket tells.
import type { Fault } from '../../../machines/errors/fault.ts'

/** How a connection ended. */
export interface End {
  /** The other end. */
  readonly at: string
  readonly wasReady: boolean
  /** The socket's last. */
  readonly error: NodeJS.ErrnoException | undefined
  /** Of the close. */
  readonly code: number
  /** Of the close. */
  readonly reason: string
}

/** The fault that says so: what could not be reached or is no NT4 server, what cannot be read, who closed it. */
export const faultOfEnd = ({ at, wasReady, error, code, reason }: End): Fault => {
  if (error && !wasReady) {
    const unreachable = error.code?.startsWith('E') || error.message.includes('timed out')
    return unreachable
      ? {
          code: 'nt4.unreachable',
          detail: `nothing answers at ${at} (${error.code ?? error.message}); is the robot on and the address right?`,
        }
      : { code: 'nt4.refused', detail: `${at} answers, but not as an NT4 server (${error.message})` }
  }
  if (error?.code?.startsWith('WS_ERR_')) {
    const detail = `the connection to ${at} was given up here: what came from there cannot be read (${error.message})`
    return { code: 'nt4.closed', detail }
  }
  return {
    code: 'nt4.closed',
    detail: `the connection to ${at} was closed from there (${reason || error?.message || `code ${code}`})`,
  }
}
