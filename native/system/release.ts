// What a Linux device runs, by its release file, its kernel and its firmware.
import { arch } from 'node:process'
import { type ToldRelease, valuesOfRelease } from '../../machines/system/release.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'

const RELEASE_FILES = ['/etc/os-release', '/usr/lib/os-release']
const MAX_TEXT = 256

/** null: it has no release file that names it. Never fails. */
export const readRelease = async (files: SystemFiles): Promise<ToldRelease | null> => {
  let values: ReadonlyMap<string, string> = new Map()
  for (const path of RELEASE_FILES) if (values.size === 0) values = valuesOfRelease((await files.text(path)) ?? '')
  const name = values.get('PRETTY_NAME') ?? values.get('NAME')
  if (name === undefined) return null
  const of = (key: string) => values.get(key) ?? null
  const [model, vendor, product, kernel, boot_id, uptime] = await Promise.all([
    files.text('/proc/device-tree/model'),
    files.text('/sys/class/dmi/id/sys_vendor'),
    files.text('/sys/class/dmi/id/product_name'),
    files.text('/proc/sys/kernel/osrelease'),
    readBootId(files),
    files.text('/proc/uptime'),
  ])
  const up_s = numberIn(uptime?.split(' ')[0] ?? null)
  return {
    name,
    id: of('ID'),
    version_id: of('VERSION_ID'),
    version_codename: of('VERSION_CODENAME'),
    variant_id: of('VARIANT_ID'),
    build_id: of('BUILD_ID'),
    image_id: of('IMAGE_ID'),
    image_version: of('IMAGE_VERSION'),
    kernel: lineIn(kernel),
    architecture: arch,
    model: lineIn(model) ?? lineIn([lineIn(vendor), lineIn(product)].filter((each) => each !== null).join(' ')),
    boot_id,
    up_s: up_s !== null && up_s >= 0 ? up_s : null,
  }
}

/** Another one at each start of the device; null: it does not tell. */
export const readBootId = async (files: SystemFiles): Promise<string | null> => {
  const text = await files.text('/proc/sys/kernel/random/boot_id')
  return text !== null && /^[\da-f-]{32,36}$/.test(text) ? text : null
}

/** A line of text as a vendor wrote it; null: it is empty, or no such thing. */
const lineIn = (text: string | null): string | null =>
  text !== null && text.length <= MAX_TEXT && /^[\x20-\x7e]+$/.test(text) ? text.trim() : null
