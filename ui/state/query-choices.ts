// What is chosen on a page stands in its address, so that it can be sent to others and is there again.
import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/**
 * The choices of the address, and the way to make one. What is undefined or empty is taken out of it. Going back does
 * not go through choices.
 */
export const useQueryChoices = () => {
  const [query, setQuery] = useSearchParams()
  const choose = useCallback(
    (name: string, value: string | undefined) =>
      setQuery(
        (now) => {
          if (value) now.set(name, value)
          else now.delete(name)
          return now
        },
        { replace: true },
      ),
    [setQuery],
  )
  return [query, choose] as const
}
