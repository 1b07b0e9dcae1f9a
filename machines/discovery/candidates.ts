// The devices that were found, or say that they are there: candidates; none is trusted for being in this list. Pure:
// each change makes a new list.
import type { Static } from 'typebox'
import { DeviceId } from '../interdevice/hello.ts'
import { readOwnName } from '../interdevice/own-name.ts'
import Type from '../schema/type.ts'
import type { Heard } from './announcement.ts'
import type { BaseUrl } from './base-url.ts'
import { type PeerKind, PeerKindName, type ProbeFinding } from './probe-result.ts'

/** Strangers may say what they like: beyond that many nobody new is listed. */
export const MAX_CANDIDATES = 64
const MAX_PLACES = 4
/** Rounds that may pass without hearing of a device: it was switched off, or is out of reach. */
const MAX_MISSED = 3

/** One way to a device. */
interface Place {
  readonly base_url: string
  readonly name: string | null
  /** What was found there; null: nobody has looked. */
  readonly kind: PeerKind | null
  readonly protocol_version: string | null
  readonly fingerprint: string | null
  readonly fingerprint_hint: string | null
  /** Rounds since it was heard there; null: it was never. */
  readonly missed: number | null
}

/** What is known of a device, its places in the order in which they were found. device_id null: it greets nobody. */
export interface Entry {
  readonly key: string
  readonly device_id: string | null
  readonly places: readonly Place[]
  readonly first_seen_ms: number
  readonly last_seen_ms: number
}

export const Candidate = Type.Object(
  {
    id: Type.String({ description: 'Its `device_id`, or its address where it says none.' }),
    device_id: Type.Union([DeviceId, Type.Null()], {
      description: 'As it says; null: it is no device with this service.',
    }),
    base_url: Type.String({ description: 'Where it is: where it was heard last, over TLS if it can be.' }),
    other_base_urls: Type.Array(Type.String(), { description: 'Where it is too.' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'What it calls itself; null: it does not say.' }),
    kind: Type.Union([PeerKindName, Type.Null()], {
      description: 'What was found there, as in `POST /v1/peers/probe`; null: nobody has looked.',
    }),
    protocol_version: Type.Union([Type.String(), Type.Null()], { description: 'As it says; null: it does not say.' }),
    fingerprint: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the certificate that it showed to a look; null: there was none over TLS.',
    }),
    fingerprint_hint: Type.Union([Type.String(), Type.Null()], {
      description: 'The first 16 digits of its fingerprint, as it announces; null: it does not say.',
    }),
    found_by: Type.Array(Type.Enum(['dns-sd', 'address']), {
      description: 'dns-sd: it announces itself. address: it was found at an address that somebody named.',
    }),
    first_seen_ms: Type.Integer({ description: 'Unix time.' }),
    last_seen_ms: Type.Integer({ description: 'Unix time.' }),
  },
  {
    additionalProperties: false,
    title: 'PeerCandidate',
    description: 'A device that was found. It is not trusted for that: all that is said of it is what it says itself.',
  },
)
export type Candidate = Static<typeof Candidate>

export type Entries = readonly Entry[]

/** A device has said that it is there. */
export const withHeard = (entries: Entries, heard: Heard, nowMs: number): Entries => {
  const { device_id, base_url, name, protocol_version, fingerprint_hint } = heard
  const known = placeIn(entries, device_id, base_url)
  const place = {
    ...(known ?? UNKNOWN),
    base_url,
    name: known?.kind ? known.name : (readOwnName(name) ?? null),
    protocol_version,
    fingerprint_hint,
    missed: 0,
  }
  return withPlace(entries, { device_id, place, nowMs, mayMakeRoom: false })
}

/** An address was looked at, and this was found. */
export const withSeen = (entries: Entries, { origin }: BaseUrl, seen: ProbeFinding, nowMs: number): Entries => {
  const { kind, hello, fingerprint } = seen
  const device_id = hello?.device_id ?? null
  const rest = entries.flatMap((entry) => {
    if (entry.device_id === device_id && device_id !== null) return [entry]
    // now another device is there, or none
    return withoutPlaces(entry, (place) => place.base_url === origin && place.missed === null)
  })
  if (kind === null) return rest
  const known = placeIn(rest, device_id, origin)
  const place: Place = {
    base_url: origin,
    kind,
    fingerprint,
    name: readOwnName(hello?.name) ?? known?.name ?? null,
    protocol_version: hello?.protocol_version ?? null,
    fingerprint_hint: known?.fingerprint_hint ?? null,
    missed: known?.missed ?? null,
  }
  return withPlace(rest, { device_id, place, nowMs, mayMakeRoom: true })
}

/** Everybody is asked once more: who has not answered in the rounds before is gone. */
export const withNextRound = (entries: Entries): Entries =>
  entries
    .map((entry) => ({
      ...entry,
      places: entry.places.map((place) => (place.missed === null ? place : { ...place, missed: place.missed + 1 })),
    }))
    .flatMap((entry) => withoutHeard(entry, ({ missed }) => missed > MAX_MISSED))

/** A device has said that it goes. */
export const withGone = (entries: Entries, device_id: string): Entries =>
  entries.flatMap((entry) => (entry.device_id === device_id ? withoutHeard(entry, () => true) : [entry]))

/** Nobody is heard any more. */
export const withNobodyHeard = (entries: Entries): Entries =>
  entries.flatMap((entry) => withoutHeard(entry, () => true))

/** The wall clock was set: all was found so much later. */
export const withClockSet = (entries: Entries, byMs: number): Entries =>
  entries.map((entry) => ({
    ...entry,
    first_seen_ms: Math.max(0, entry.first_seen_ms + byMs),
    last_seen_ms: Math.max(0, entry.last_seen_ms + byMs),
  }))

/** As the wire shows it. */
export const candidateView = ({ key, device_id, places, first_seen_ms, last_seen_ms }: Entry): Candidate => {
  const [first, ...others] = inOrder(places) as readonly [Place, ...Place[]]
  const { base_url, name, kind, protocol_version, fingerprint, fingerprint_hint } = first
  return {
    id: key,
    device_id,
    base_url,
    other_base_urls: others.map((place) => place.base_url),
    name,
    kind,
    protocol_version,
    fingerprint,
    fingerprint_hint,
    found_by: [
      ...(places.some(({ missed }) => missed !== null) ? (['dns-sd'] as const) : []),
      ...(places.some((place) => place.kind !== null) ? (['address'] as const) : []),
    ],
    first_seen_ms,
    last_seen_ms,
  }
}

/** Where it is heard before where it was looked at some time; of these, where it can be paired: over TLS. */
const inOrder = (places: readonly Place[]): readonly Place[] => places.toSorted((a, b) => rankOf(a) - rankOf(b))

const rankOf = ({ missed, base_url }: Place): number =>
  (missed === null ? 2 : 0) + (base_url.startsWith('https:') ? 0 : 1)

const UNKNOWN = { kind: null, fingerprint: null, name: null }

const keyOf = (device_id: string | null, base_url: string): string => device_id ?? base_url

const placeIn = (entries: Entries, device_id: string | null, base_url: string): Place | undefined =>
  entries.find(({ key }) => key === keyOf(device_id, base_url))?.places.find((place) => place.base_url === base_url)

interface NewPlace {
  readonly device_id: string | null
  readonly place: Place
  readonly nowMs: number
  readonly mayMakeRoom: boolean
}

const withPlace = (entries: Entries, { device_id, place, nowMs, mayMakeRoom }: NewPlace): Entries => {
  const key = keyOf(device_id, place.base_url)
  const known = entries.find((entry) => entry.key === key)
  if (known) {
    const isKnown = known.places.some(({ base_url }) => base_url === place.base_url)
    const places = isKnown
      ? known.places.map((each) => (each.base_url === place.base_url ? place : each))
      : [...withRoom(known.places, mayMakeRoom), place].slice(0, MAX_PLACES)
    return entries.map((entry) => (entry === known ? { ...known, places, last_seen_ms: nowMs } : entry))
  }
  const room = entries.length < MAX_CANDIDATES ? entries : mayMakeRoom ? withoutLastHeard(entries) : entries
  if (room.length >= MAX_CANDIDATES) return entries
  return [...room, { key, device_id, places: [place], first_seen_ms: nowMs, last_seen_ms: nowMs }]
}

/**
 * The oldest place at which a device is not heard makes room for a new one: it has moved. Where all are heard, one that
 * somebody looked at finds room too.
 */
const withRoom = (places: readonly Place[], mayMakeRoom: boolean): readonly Place[] => {
  if (places.length < MAX_PLACES) return places
  const silences = places.map(({ missed }) => missed ?? Number.POSITIVE_INFINITY)
  const longest = Math.max(...silences)
  // a round has just begun: nobody has answered yet
  return longest > 1 || mayMakeRoom ? places.toSpliced(silences.indexOf(longest), 1) : places
}

/** A device that only announces itself makes room for one that was found. */
const withoutLastHeard = (entries: Entries): Entries => {
  const last = entries.findLastIndex(({ places }) => places.every(({ kind }) => kind === null))
  return last < 0 ? entries : entries.toSpliced(last, 1)
}

/** An entry without some of the places at which it is heard. One that was looked at stays, unheard. */
const withoutHeard = (
  entry: Entry,
  isGone: (place: Place & { readonly missed: number }) => boolean,
): readonly Entry[] => {
  const places = entry.places.flatMap((place): readonly Place[] => {
    if (place.missed === null || !isGone(place as Place & { readonly missed: number })) return [place]
    return place.kind === null ? [] : [{ ...place, missed: null }]
  })
  return places.length > 0 ? [{ ...entry, places }] : []
}

const withoutPlaces = (entry: Entry, isGone: (place: Place) => boolean): readonly Entry[] => {
  const places = entry.places.filter((place) => !isGone(place))
  return places.length > 0 ? [{ ...entry, places }] : []
}
