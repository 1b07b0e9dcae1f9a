// NT4 over real sockets, on a device that is known by its addresses only, and for no pages but its own.
import { webSocketNt4 } from '../../../native/nt4/ws-port.ts'

export const wsNt4 = webSocketNt4({ names: [], origins: [] })
