// Packages that lie on this device already: in the folders whose files streams may read, on a stick say.
import type { Fault } from '../../../machines/errors/fault.ts'
import { quote } from '../../../machines/schema/quote.ts'
import { liesWithin, pathErrors } from '../../../machines/stream/sources/media-roots.ts'
import { openPlain } from '../../media/folder.ts'
import type { Arriving } from '../../media/port.ts'
import type { MediaRootsPort } from '../../media-roots/port.ts'

/** Opens a file that lies in a media root, wherever links lead. */
export const fileOpener =
  (places: MediaRootsPort) =>
  async (path: string): Promise<Arriving | Fault> => {
    const [flaw] = pathErrors([{ pointer: '/path', path }])
    if (flaw) return noFile(`the path ${flaw.message}`)
    const roots = await places.roots()
    const place = await places.realPlace(path)
    const allowed = roots.map(({ named }) => named).join(', ') || 'none'
    if (place === null || !roots.some(({ real }) => liesWithin(real, place)))
      return noFile(`${quote(path)} is not inside a folder whose files may be read (${allowed}), or leads out of it`)
    try {
      const file = await openPlain(place)
      const { size } = await file.stat()
      return { body: file.createReadStream(), length: size }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
      return noFile(`${quote(path)} cannot be read: ${(error as Error).message}`)
    }
  }

const noFile = (detail: string): Fault => ({ code: 'plugin.no_file', detail })
