import type { ModelRole } from '../kernel/model.ts'

/** The roles that a model plays in this version, beside `default`, which stands for all of them. */
export const rolesInUse = [
  'planner',
  'researcher',
  'expert',
  'critic',
  'finalizer',
  'verifier',
] as const satisfies readonly ModelRole[]

/** The roles for which a model can be chosen; `embedding` alone has no other to stand in for it. */
export const chosenRoles = [
  'default',
  ...rolesInUse,
  'embedding',
] as const satisfies readonly ModelRole[]
