// Recognises the unit of each camera that is plugged in (docs/decisions/0072-which-camera-is-which.md).

import { isSameJson } from '../settings/same-json.ts'
import type { AskedNode } from './camera-info.ts'
import { type CameraKeys, keysOf } from './keys.ts'
import { type CameraUnit, MAX_UNITS } from './unit.ts'

/** A camera with its unit. known_by: what told it from others of its model. */
export interface PresentCamera {
  readonly node: AskedNode
  readonly unit: CameraUnit
  readonly known_by: 'serial' | 'port'
}

/** Which of the cameras that are plugged in are known. */
export interface Recognised {
  readonly present: readonly PresentCamera[]
  /** Cameras that are no unit yet. */
  readonly newcomers: readonly AskedNode[]
  /** Units that are not plugged in. */
  readonly absent: readonly CameraUnit[]
}

type Known = readonly { readonly node: AskedNode; readonly keys: CameraKeys }[]

/**
 * units: in the order in which they were met; of two that fit, it is the one that people named last, else the older
 * one.
 */
export const recognise = (nodes: readonly AskedNode[], units: readonly CameraUnit[]): Recognised => {
  const known: Known = nodes.map((node) => ({ node, keys: keysOf(node) }))
  const names = namesOne(known, units)
  const claimed = units.toSorted((a, b) => b.claim - a.claim)
  const matched = new Map<AskedNode, CameraUnit>()
  const taken = new Set<CameraUnit>()
  const match = (fits: (keys: CameraKeys, unit: CameraUnit) => boolean) => {
    for (const { node, keys } of known) {
      const unit = matched.has(node) ? undefined : claimed.find((each) => !taken.has(each) && fits(keys, each))
      if (!unit) continue
      matched.set(node, unit)
      taken.add(unit)
    }
  }
  match((keys, unit) => keys.unit_key !== null && unit.unit_key === keys.unit_key && unit.port_key === keys.port_key)
  match((keys, unit) => names(keys.unit_key) && unit.unit_key === keys.unit_key)
  match(
    (keys, unit) =>
      unit.port_key === keys.port_key && unit.model_key === keys.model_key && mayBe(keys.unit_key, unit.unit_key),
  )
  return {
    present: known.flatMap(({ node, keys }) => {
      const unit = matched.get(node)
      return unit ? [{ node, unit, known_by: names(keys.unit_key) ? ('serial' as const) : ('port' as const) }] : []
    }),
    newcomers: nodes.filter((node) => !matched.has(node)),
    absent: units.filter((unit) => !taken.has(unit)),
  }
}

/**
 * Whether a serial number is that of one unit alone: seen twice, be it now or in two stored units, it tells nothing.
 */
const namesOne = (known: Known, units: readonly CameraUnit[]) => {
  const now = known.map(({ keys }) => keys.unit_key)
  const ever = units.map(({ unit_key }) => unit_key)
  return (key: string | null): boolean =>
    key !== null && now.filter((each) => each === key).length === 1 && ever.filter((each) => each === key).length <= 1
}

/** Two units with serial numbers of their own are two units. */
const mayBe = (key: string | null, known: string | null): boolean => key === null || known === null || key === known

/**
 * The units that are not plugged in and that this camera may be: of its model, and not told apart by a serial number.
 */
export const candidatesFor = ({ unit }: PresentCamera, absent: readonly CameraUnit[]): readonly CameraUnit[] =>
  absent.filter((each) => each.model_key === unit.model_key && mayBe(unit.unit_key, each.unit_key))

/** What must be stored after a look. forget: by uid. */
export interface UnitChanges {
  readonly store: readonly CameraUnit[]
  readonly forget: readonly string[]
}

/** used: the units of streams. fresh: a name that no unit ever had. */
export const unitChanges = (
  { present, newcomers, absent }: Recognised,
  used: ReadonlySet<string>,
  fresh: () => string,
): UnitChanges => {
  const moved = present.flatMap(({ node, unit }) => {
    const keys = keysOf(node)
    // A serial number that cannot be read just now is not gone.
    const seen = { ...unit, ...keys, unit_key: keys.unit_key ?? unit.unit_key, device: node.device }
    return isSameJson(seen, unit) ? [] : [seen]
  })
  const met = newcomers.map((node) => ({
    camera_uid: fresh(),
    name: nameOf(node),
    ...keysOf(node),
    device: node.device,
    controls: [],
    claim: 0,
  }))
  const unused = absent.filter(({ camera_uid, controls }) => !used.has(camera_uid) && controls.length === 0)
  // People said that the camera is an older unit: the name that it had until then stands for nothing.
  const shadowed = unused.filter((each) => present.some(({ node }) => isSame(keysOf(node), each)))
  const tooMany = present.length + absent.length - shadowed.length + met.length - MAX_UNITS
  const oldest = unused.filter((each) => !shadowed.includes(each)).slice(0, Math.max(0, tooMany))
  return { store: [...moved, ...met], forget: [...shadowed, ...oldest].map(({ camera_uid }) => camera_uid) }
}

const isSame = (keys: CameraKeys, unit: CameraUnit): boolean =>
  keys.port_key === unit.port_key && keys.model_key === unit.model_key && keys.unit_key === unit.unit_key

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu // makers write anything there; also half a character, where it was cut

/** What people call it: what the maker says that it is. */
export const nameOf = ({ usb, name, answer }: AskedNode): string => {
  const maker = usb?.manufacturer?.trim()
  const product = usb?.product?.trim() || (answer.ok && answer.card.trim()) || name.trim() || 'Camera'
  const [brand = ''] = maker?.split(' ') ?? [] // "Arducam Technology Co., Ltd." makes the "Arducam OV9281 USB Camera"
  const whole = maker && !product.startsWith(brand) ? `${maker} ${product}` : product
  return whole.slice(0, 200).replace(UNSEEN, '').trim() || 'Camera'
}
