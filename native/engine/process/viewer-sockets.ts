// An engine's side of the hand-over of viewers: their sockets come in beside the wire, over the channel that Node
// passes them through.
import type { Socket } from 'node:net'
import type { ViewerMessage } from '../protocol/orders.ts'
import type { Report } from '../protocol/reports.ts'
import type { NativeStream } from './addon.ts'
import { toFault } from './to-fault.ts'

/** Where the control process puts the records of the viewers, as a descriptor. */
export const VIEWER_RECORDS_FD = 5

/**
 * Takes viewers from now on, where there is a channel for them. It keeps no process running: that is the wire's part.
 */
export const takeViewers = (stream: NativeStream, report: (report: Report) => void): void => {
  if (!process.channel) return
  stream.keepViewerRecords(VIEWER_RECORDS_FD)
  process.on('message', ({ viewer, place }: ViewerMessage, socket: unknown) => {
    if (!socket) return // the viewer left on the way
    try {
      report({ type: 'viewer-held', viewer, position_bytes: stream.takeViewer(viewer, place, fdOf(socket as Socket)) })
    } catch (error) {
      report({ type: 'viewer-refused', viewer, fault: toFault(error) })
    } finally {
      ;(socket as Socket).destroy() // only this descriptor, and nothing is read from the connection here
    }
  })
  process.channel.unref()
}

const fdOf = (socket: Socket): number => (socket as unknown as { _handle?: { fd: number } })._handle?.fd ?? -1
