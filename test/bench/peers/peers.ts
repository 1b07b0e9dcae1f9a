// What other devices cost this one, and how soon it hears of them.
import type { Measurement } from '../lab/lab.ts'
import { eventHops } from './peers-events.ts'
import { manyPeers } from './peers-many.ts'
import { returningPeer } from './peers-return.ts'

export const peers: Measurement = async (lab) => [
  ...(await eventHops(lab)),
  ...(await returningPeer(lab)),
  ...(await manyPeers(lab)),
]
