// What the bus itself is asked: who has which name, and what it shall pass on.
import type { DbusCall } from './port.ts'

/** The name of the bus itself; nobody else can have it, or send under it. */
export const BUS = 'org.freedesktop.DBus'

/** A call to the bus. */
export const busCall = (member: string, ...names: readonly string[]): DbusCall => ({
  service: BUS,
  path: '/org/freedesktop/DBus',
  interface: BUS,
  member,
  signature: 's'.repeat(names.length),
  body: names,
})

/** What passes signals of a service on; and what tells when another process has its name. */
export const rulesOf = (service: string): readonly string[] => [
  `type='signal',sender='${BUS}',member='NameOwnerChanged',arg0='${service}'`,
  `type='signal',sender='${service}'`,
]
