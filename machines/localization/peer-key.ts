// How an output is named that another device has: `<stream>.<output>`.

/** Stands for the device itself, which no stream may be called. */
export const DEVICE = 'device'

/** The output of a device that is its own solution. */
export const SOLVE = 'solve'

/** What such a name looks like. */
export const PEER_KEY_PATTERN = '^[a-z][a-z0-9_-]{0,39}\\.[a-zA-Z0-9_-]{1,64}$'

/** The same in words. */
export const PEER_KEY_FORM = 'A stream and its output with a dot between, as `device.solve` or `front.pose`.'

const form = new RegExp(PEER_KEY_PATTERN)

/** An output of a stream of a device. */
export interface PeerKey {
  readonly streamId: string
  readonly port: string
}

/** undefined: it cannot be such a name. */
export const readPeerKey = (key: string): PeerKey | undefined => {
  if (!form.test(key)) return undefined
  const [streamId = '', port = ''] = key.split('.')
  return { streamId, port }
}
