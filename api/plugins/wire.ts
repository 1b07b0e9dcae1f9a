// Plugins on the wire: examples.
import { DEFAULT_LIMITS } from '../../machines/plugins/manifest.ts'
import type { PluginUpload } from '../../machines/plugins/package/release-note.ts'

/** A package with nothing but its manifest. */
export const packageExample = Buffer.from(
  'UEsDBBQAAAgIAAAAP1xjjt7KYQAAAHUAAAATAAAAdmVkZXR0ZS1wbHVnaW4uanNvbj3LQQqDQAwF0KuUvx5Fu8wheoEiIjWFgEmGSXQj3r246du/' +
    'E7Yog2Ce3H3FVm4oOLiFuIEw9s9+QIGKie46L1VAY0FKbvd7efLj/yo3lbhrgN5Ir/IJTAW1+SErB+i8rh9QSwECPwMUAAAICAAAAD9cY47eymEA' +
    'AAB1AAAAEwAAAAAAAAAAAAAApIEAAAAAdmVkZXR0ZS1wbHVnaW4uanNvblBLBQYAAAAAAQABAEEAAACSAAAAAAA=',
  'base64',
)

/** What that package is. */
export const uploadExample: PluginUpload = {
  upload: 'note-finder-1.2.0',
  sha256: '6c864ced9fbe015ca8d0d2b42e39f86a28c26a6fec4c04da34155545e3a9b2ef',
  size_bytes: 233,
  unpacked_bytes: 117,
  uploaded_at_ms: 1_769_863_441_000,
  manifest: {
    name: 'note-finder',
    version: '1.2.0',
    minimum_api: 1,
    title: 'Note finder',
    description: '',
    permissions: ['topics'],
    limits: DEFAULT_LIMITS,
    provides: {},
  },
}
