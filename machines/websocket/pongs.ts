// How many pings may be answered at once: what the library is told, wherever a WebSocket is opened or accepted.

/**
 * Of answers to pings that the system has not taken yet. The library would end the connection at 60, and a robot library sends some hundreds of pings in a burst after a
 * break; beyond 2,000 it is a flood (native/sockets/ways.ts).
 */
export const PONGS: { readonly maxPendingAutoPongs: number } = { maxPendingAutoPongs: 2_000 }
