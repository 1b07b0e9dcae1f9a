// How a file or folder of the device is named.
import Type from '../../schema/type.ts'

/** A file or folder of the device. */
export const FilePath = Type.String({ minLength: 1, maxLength: 4096 })
