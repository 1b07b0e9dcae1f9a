// How many answers to pings may wait: what the library is told, wherever a WebSocket is opened or accepted.

/**
 * Of answers that the system has not taken yet; one who sends more and reads none is cut off. The library would do that
 * at 60, which a burst of pings reaches within one turn of the event loop, and a robot library sends some hundreds of
 * them after a break.
 */
export const PONGS: { readonly maxPendingAutoPongs: number } = { maxPendingAutoPongs: 500 }
