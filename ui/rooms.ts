// The rooms of the page, in the order of the rail: one line for each. A room is loaded when it is opened.
import {
  Cable,
  CircleArrowUp,
  Cpu,
  Film,
  Grid3x3,
  House,
  Lightbulb,
  Map as MapIcon,
  Move3d,
  Network,
  Puzzle,
  Settings,
  SquareTerminal,
  TriangleAlert,
  Video,
  Workflow,
} from 'lucide-react'
import type { ComponentType } from 'react'

/** A room. */
export interface Room {
  /** The first part of its address; empty: the first page. */
  readonly path: string
  readonly name: string
  readonly group: 'See' | 'Set up' | 'Connect' | 'Device'
  readonly icon: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>
  /** Its page. What follows in the address is its own: it routes below its path. */
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

/** All of them. */
export const ROOMS: readonly Room[] = [
  { path: '', name: 'Overview', group: 'See', icon: House, load: () => import('./rooms/overview/page.tsx') },
  { path: 'streams', name: 'Streams', group: 'See', icon: Video, load: () => import('./rooms/streams/page.tsx') },
  { path: 'field', name: 'Field', group: 'See', icon: MapIcon, load: () => import('./rooms/field/page.tsx') },
  {
    path: 'pipelines',
    name: 'Pipelines',
    group: 'Set up',
    icon: Workflow,
    load: () => import('./rooms/pipelines/page.tsx'),
  },
  { path: 'rig', name: 'Rig', group: 'Set up', icon: Move3d, load: () => import('./rooms/rig/page.tsx') },
  {
    path: 'calibration',
    name: 'Calibration',
    group: 'Set up',
    icon: Grid3x3,
    load: () => import('./rooms/calibration/page.tsx'),
  },
  { path: 'plugins', name: 'Plugins', group: 'Set up', icon: Puzzle, load: () => import('./rooms/plugins/page.tsx') },
  {
    path: 'lighting',
    name: 'Lights',
    group: 'Set up',
    icon: Lightbulb,
    load: () => import('./rooms/lighting/page.tsx'),
  },
  { path: 'media', name: 'Media', group: 'Set up', icon: Film, load: () => import('./rooms/media/page.tsx') },
  { path: 'peers', name: 'Peers', group: 'Connect', icon: Network, load: () => import('./rooms/peers/page.tsx') },
  { path: 'nt4', name: 'NT4', group: 'Connect', icon: Cable, load: () => import('./rooms/nt4/page.tsx') },
  {
    path: 'update',
    name: 'Update',
    group: 'Device',
    icon: CircleArrowUp,
    load: () => import('./rooms/update/page.tsx'),
  },
  { path: 'device', name: 'Device', group: 'Device', icon: Cpu, load: () => import('./rooms/device/page.tsx') },
  {
    path: 'console',
    name: 'Console',
    group: 'Device',
    icon: SquareTerminal,
    load: () => import('./rooms/console/page.tsx'),
  },
  {
    path: 'errors',
    name: 'Errors',
    group: 'Device',
    icon: TriangleAlert,
    load: () => import('./rooms/errors/page.tsx'),
  },
  {
    path: 'settings',
    name: 'Settings',
    group: 'Device',
    icon: Settings,
    load: () => import('./rooms/settings/page.tsx'),
  },
]

const loaded = new Map<Room, ComponentType>()

/** Loads the page of a room. */
export const loadRoom = async (room: Room) => {
  const page = await room.load()
  loaded.set(room, page.default)
  return page
}

/** The page of a room; undefined: it is not loaded yet. */
export const pageOf = (room: Room): ComponentType | undefined => loaded.get(room)

/** Whether an address is one of a room. */
export const isOfRoom = ({ path }: Room, address: string): boolean =>
  path === '' ? address === '/' : address === `/${path}` || address.startsWith(`/${path}/`)

/** Those that a phone shows at its foot; the others are behind "More". */
export const FOOT = ['', 'streams', 'field', 'errors']
