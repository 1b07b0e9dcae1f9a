// The ways for pictures of peers through this device.
import { framesTunnel } from './frames.ts'
import { peerPicture } from './picture.ts'
import type { TunnelPort } from './port.ts'
import { previewTunnel } from './preview.ts'

export const peerTunnels: TunnelPort = {
  preview: (connection, ask) => previewTunnel(connection, ask),
  frames: (connection, ask) => framesTunnel(connection, ask),
  picture: peerPicture,
}
