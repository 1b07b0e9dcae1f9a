// What another device has beside its streams: pipelines, cameras on the robot, places where it sees the robot.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Card, Empty } from '../../parts/parts.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import { figureOf } from '../../words.ts'
import type { Peer } from './describe.ts'

interface TableProps {
  readonly title: string
  readonly peer: Peer
  readonly heads: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly [ReactNode, ...ReactNode[]] }[]
  readonly none: string
}

const Table = ({ title, peer, heads, rows, none }: TableProps) => (
  <Card title={title}>
    {rows.length === 0 ? (
      <Empty>{none}</Empty>
    ) : (
      <Scrollable name={`Table: ${title}`} className={peer.stale ? 'is-old' : ''}>
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [first, ...others] }) => (
              <tr key={key}>
                <th scope="row">{first}</th>
                {others.map((cell, n) => (
                  <td key={heads[n + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    )}
  </Card>
)

type Place = NonNullable<NonNullable<Peer['rig'][number]['pose']>>

const placeOf = ({ x_m, y_m, z_m, pitch_deg, yaw_deg }: Place): string =>
  [
    `x ${figureOf(x_m, 2)} m`,
    `y ${figureOf(y_m, 2)} m`,
    `z ${figureOf(z_m, 2)} m`,
    `pitch ${figureOf(pitch_deg, 1)}°`,
    `yaw ${figureOf(yaw_deg, 1)}°`,
  ].join(', ')

/** All of it, as the device listed it. */
export const PeerHas = ({ peer }: { readonly peer: Peer }) => {
  const nameOf = (streamId: string | null) => {
    if (streamId === null) return 'none'
    const alias = peer.streams.find(({ id }) => id === streamId)?.alias ?? streamId
    return <Link href={`/streams/${encodeURIComponent(`${peer.id}:${streamId}`)}`}>{alias}</Link>
  }
  return (
    <div className="peers-has">
      <Table
        title="Its pipelines"
        peer={peer}
        heads={['Pipeline', 'Stream', 'Outputs', 'Revision there']}
        none="It lists no pipeline."
        rows={peer.pipelines.map(({ id, stream_id, outputs, revision }) => ({
          key: `${stream_id} ${id}`,
          cells: [
            id,
            nameOf(stream_id),
            outputs.map((each) => `${each.id} (${each.type})`).join(', ') || '–',
            revision,
          ],
        }))}
      />
      <Table
        title="Its cameras on the robot"
        peer={peer}
        heads={['Camera', 'Stream', 'Place', 'Revision there']}
        none="It lists no camera."
        rows={peer.rig.map(({ camera_uid, stream_id, has_pose, pose, pose_revision }) => ({
          key: camera_uid,
          cells: [
            camera_uid,
            nameOf(stream_id),
            pose ? placeOf(pose) : has_pose ? 'known there' : 'not set yet',
            pose_revision,
          ],
        }))}
      />
      <Table
        title="Where it sees the robot"
        peer={peer}
        heads={['Output', 'Stream', 'What it tells']}
        none="None of its pipelines tells where the robot is."
        rows={peer.localization_outputs.map(({ stream_id, output_key, data_type }) => ({
          key: `${stream_id} ${output_key}`,
          cells: [output_key, nameOf(stream_id), data_type],
        }))}
      />
    </div>
  )
}
