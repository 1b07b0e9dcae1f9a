// What /proc/self/mountinfo says: where the files of which disk are shown.

/** A place at which files of something are shown. */
export interface Mount {
  readonly at: string
  /** Of the block device: `8:1`. */
  readonly number: string
  /** As the system calls it: `/dev/sda1`. */
  readonly source: string
}

/** All of them, in the order in which they were made. */
export const mountsIn = (text: string): readonly Mount[] =>
  text.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ')
    const [, , number, , at] = before.split(' ')
    const [, source] = after.split(' ')
    return number !== undefined && at?.startsWith('/') && source !== undefined
      ? [{ at: plain(at), number, source: plain(source) }]
      : []
  })

/** The one on which a folder lies; of two at one place the later hides the other. */
export const mountOf = (mounts: readonly Mount[], folder: string): Mount | undefined =>
  mounts
    .filter(({ at }) => folder === at || folder.startsWith(at.endsWith('/') ? at : `${at}/`))
    .reduce<Mount | undefined>((found, each) => (!found || each.at.length >= found.at.length ? each : found), undefined)

/** Spaces and the like are written as `\040`. */
const plain = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
