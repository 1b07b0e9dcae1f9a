// Where libcamera looks for tuning files, and which one of several is in force. The order is libcamera's own.
import { oneLine } from '../schema/one-line.ts'

/** A tuning file that was found. */
export interface FoundTuning {
  /** Absolute. */
  readonly path: string
  /** The module of libcamera that reads it: `rpi/vc4`. */
  readonly module: string
  /** The model of the sensor, with its variant: the name of the file. */
  readonly sensor: string
  readonly format: 'json' | 'yaml'
  readonly place: TuningPlace
}

/** A copy that this service has written, and that is as it was written. */
export interface OwnCopy {
  readonly path: string
  /** Unix time. */
  readonly made_at_ms: number
}

/** What there is now. */
export interface TuningLook {
  /** In the order in which libcamera looks for them. */
  readonly files: readonly FoundTuning[]
  readonly copies: readonly OwnCopy[]
  /** Models of the sensors that the kernel has found. */
  readonly sensors: readonly string[]
  /** Of libcamera that serve such a device, the likeliest first. */
  readonly modules: readonly string[]
}

/** The kinds of places, the first that is looked into first. */
export const PLACES = {
  named: 'named by LIBCAMERA_RPI_TUNING_FILE or its like: one file for all sensors',
  listed: 'in a folder of LIBCAMERA_IPA_CONFIG_PATH',
  own: 'in /etc/libcamera/ipa, where files of this device stand; no package changes them',
  package: 'in /usr/share/libcamera/ipa, as a package has installed it',
} as const
export type TuningPlace = keyof typeof PLACES

/** What the environment says. */
export interface TuningEnvironment {
  readonly LIBCAMERA_IPA_CONFIG_PATH?: string | undefined
  readonly [name: string]: string | undefined
}

/** Where copies are written. */
export const OWN_FOLDER = '/etc/libcamera/ipa'

const PACKAGE_FOLDER = '/usr/share/libcamera/ipa'

/** The folders with a folder for each module, in order. */
export const tuningFolders = ({
  LIBCAMERA_IPA_CONFIG_PATH: listed = '',
}: TuningEnvironment): readonly { readonly folder: string; readonly place: TuningPlace }[] => [
  ...listed
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => ({ folder: folder.replace(/\/+$/, ''), place: 'listed' as const })),
  { folder: OWN_FOLDER, place: 'own' },
  { folder: PACKAGE_FOLDER, place: 'package' },
]

/** The file that the environment names for a module, whatever the sensor. */
export const namedFile = (module: string, environment: TuningEnvironment): string | undefined => {
  const [family = ''] = module.split('/')
  return environment[`LIBCAMERA_${family.toUpperCase()}_TUNING_FILE`] || undefined
}

const NAME = /^(.+)\.(json|yaml)$/

/** A file of a folder as one for tuning; undefined: it is none by its name. */
export const tuningNamed = (name: string): Pick<FoundTuning, 'sensor' | 'format'> | undefined => {
  const [, sensor, format] = NAME.exec(name) ?? []
  return sensor === undefined ? undefined : { sensor, format: format as FoundTuning['format'] }
}

/** Which module of libcamera serves the sensors of a device, the likeliest first. compatible: of its device tree. */
export const modulesOf = (compatible: string): readonly string[] => {
  if (compatible.includes('brcm,bcm2712')) return ['rpi/pisp']
  if (/brcm,bcm2(711|83[567])/.test(compatible)) return ['rpi/vc4', 'raspberrypi']
  return compatible.includes('rockchip,') ? ['rkisp1', 'simple'] : ['simple']
}

const SENSOR = /^([a-z][a-z0-9_]*) \d+-[0-9a-f]{4}$/
const LENS_DRIVER = /^(ad|ak|bu|dw|lc)\d/

/** The model of a sensor by the name of its part in the kernel; undefined: it is no sensor. */
export const sensorNamed = (name: string): string | undefined => {
  const [, model] = SENSOR.exec(name) ?? []
  return model === undefined || LENS_DRIVER.test(model) ? undefined : model
}

/** The file that is read for a sensor. files: in the order in which they are looked for. */
export const fileInForce = (
  files: readonly FoundTuning[],
  { module, sensor }: Pick<FoundTuning, 'module' | 'sensor'>,
): FoundTuning | undefined =>
  files.find((each) => each.module === module && (each.place === 'named' || each.sensor === sensor))

/** Whether it is what libcamera reads for its sensor. */
export const isInForce = (files: readonly FoundTuning[], file: FoundTuning): boolean =>
  fileInForce(files, file) === file

/** Where its changed copy is. */
export const copyOf = ({ module, sensor }: Pick<FoundTuning, 'module' | 'sensor'>): string =>
  `${OWN_FOLDER}/${module}/${sensor}.json`

/** Why no copy of a file is written; undefined: one is. isOurs: whether this service has written the file. */
export const flawOfCopying = (
  files: readonly FoundTuning[],
  file: FoundTuning,
  isOurs: boolean,
): string | undefined => {
  const inForce = fileInForce(files, file)
  if (file.format !== 'json')
    return `${file.path} is YAML, as the module ${file.module} has it; this service shows those, and changes none`
  if (file.place === 'named')
    return oneLine`
      ${file.path} is named by the environment for all sensors of ${file.module}, and no other file is read; take the
      variable away, or change that file by hand
    `
  if (inForce && inForce !== file)
    return `${file.path} is not in force: libcamera reads ${inForce.path} for ${file.sensor}`
  if (file.place === 'listed')
    return oneLine`
      ${file.path} stands in a folder of LIBCAMERA_IPA_CONFIG_PATH, which is looked into before ${OWN_FOLDER}; take it
      out of there, or change it by hand
    `
  if (file.place === 'own' && !isOurs)
    return oneLine`
      ${file.path} was not written by this service, or was changed since; it is left alone: move it away, or change it
      by hand
    `
  return undefined
}
