// What a plugin may do beyond computing: what its manifest asks for, and an administrator grants.
import { enumOf } from '../schema/enum-of.ts'

/** Each is asked for and granted by itself. */
export const PERMISSIONS = {
  read: 'it may ask this service for what is the case, as a client of the class read',
  operate: 'it may change streams, pipelines and settings, as a client of the class operate',
  topics: 'it may publish NT topics below its own prefix',
  network: 'it may reach other devices; without it, it has no network',
} as const

export type Permission = keyof typeof PERMISSIONS

export const PermissionWord = enumOf(PERMISSIONS, 'PluginPermission')
