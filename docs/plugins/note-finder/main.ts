// Watches all streams, and tells the robot of each that has targets where the best game piece is.
import { plugin } from 'vedette-plugin'
import { NoteFollower, type Target } from './note.ts'

interface Results {
  readonly stream_id: string
  readonly captured_us?: number
  readonly outputs: Readonly<Record<string, { readonly kind: string; readonly rows: readonly Target[] }>>
}

/** A stream that is added later is found within so long. */
const LOOK_EVERY_MS = 5_000

const followers = new Map<string, NoteFollower>()

/** Watches all streams that are not watched yet. */
const look = async (): Promise<void> => {
  const { items } = (await plugin.ask('GET', '/v1/streams')) as { items: readonly { readonly id: string }[] }
  for (const { id } of items.filter((each) => !followers.has(each.id))) {
    followers.set(id, new NoteFollower())
    plugin.watch(id, 30)
    plugin.log('info', `looking for game pieces in ${id}`)
  }
}

const lookAgain = (): void => {
  look().catch((error: Error) => plugin.log('warn', `no streams were found: ${error.message}`))
}

plugin.start({
  onStart: async () => {
    await look()
    setInterval(lookAgain, LOOK_EVERY_MS)
  },
  onResults: ({ stream_id: streamId, captured_us = 0, outputs }: Results) => {
    const targets = Object.values(outputs).find(({ kind }) => kind === 'targets')
    const follower = followers.get(streamId)
    if (!targets || !follower) return
    const { isSeen, yawDeg, pitchDeg, areaShare } = follower.take(targets.rows, captured_us)
    plugin.publish(`${streamId}/seen`, 'boolean', isSeen)
    plugin.publish(`${streamId}/yaw_deg`, 'double', yawDeg)
    plugin.publish(`${streamId}/pitch_deg`, 'double', pitchDeg)
    plugin.publish(`${streamId}/area_share`, 'double', areaShare)
    plugin.publish(`${streamId}/count`, 'int', targets.rows.length)
  },
})
