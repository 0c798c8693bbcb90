import { useEffect, useState } from 'react'
import { call } from './client.ts'
import type { Access } from './operations.ts'

/** What the token and the server allow; `undefined` until it is known. */
export function useAccess(): Access | undefined {
  const [access, setAccess] = useState<Access>()
  useEffect(() => {
    call('GET /api/access', {}).then(setAccess, () => {})
  }, [])
  return access
}
