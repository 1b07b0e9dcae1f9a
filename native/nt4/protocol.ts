// The names under which the versions of NT4 are agreed on when a WebSocket opens.

/** NT 4.1: preferred. */
export const PROTOCOL_41 = 'v4.1.networktables.first.wpi.edu'
/** NT 4.0: the 2023 season and before. No pings. */
export const PROTOCOL_40 = 'networktables.first.wpi.edu'
/** Clock readings only, for clients that cannot ping. */
export const PROTOCOL_RTT = 'rtt.networktables.first.wpi.edu'
