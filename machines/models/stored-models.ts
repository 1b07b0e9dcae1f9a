// The models of this device.
import { token } from '../token.ts'
import type { Model } from './model.ts'

/** A model that is stored. name: of its media item. */
export interface StoredModel {
  readonly name: string
  readonly model: Model
}

/**
 * Read again at each call; never throws. all: the newest first, some hundred at most; the same list for as long as
 * nothing has changed.
 */
export interface StoredModels {
  readonly find: (name: string) => StoredModel | undefined
  readonly all: () => readonly StoredModel[]
}

export const STORED_MODELS = token<StoredModels>('stored-models')
