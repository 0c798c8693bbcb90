import { ScholiumError } from '../../kernel/errors.ts'
import type { ModelRole } from '../../kernel/model/model.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import { chosenRoles } from '../models/roles.ts'

const roles: readonly ModelRole[] = chosenRoles

/** Models by role from texts such as `NAME` and `ROLE=NAME`. @throws `invalid_input` for a role that is none */
export function modelsByRole(texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text): readonly [string, string] => {
    const [, role, name] = /^([a-z]+)=(.*)$/s.exec(text) ?? []
    if (role === undefined || name === undefined) return ['default', text]
    if ((roles as readonly string[]).includes(role)) return [role, name]
    const meant = findNearest(role, roles)
    throw new ScholiumError('invalid_input', `Unknown model role "${role}".`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Roles: ${roles.join(', ')}.`,
    })
  })
  return Object.fromEntries(pairs)
}
