// What the resource guard offers to others.
import { token } from '../../machines/token.ts'
import type { GuardView } from './guard-view.ts'

/** What is known of the guard. */
export const GUARD_VIEW = token<GuardView>('guard-view')
