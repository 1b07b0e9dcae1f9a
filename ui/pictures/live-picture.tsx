// A live picture of a stream.
interface LivePictureProps {
  readonly streamId: string
  readonly alias: string
}

/** Not there yet. */
export const LivePicture = ({ streamId, alias }: LivePictureProps) => (
  <canvas className="picture" data-stream={streamId} aria-label={alias} role="img" />
)
