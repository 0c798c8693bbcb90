import type { ModelRole } from '../../kernel/model/model.ts'

/** The roles that a model plays for a question, beside `default`, which stands for all of them. */
export const rolesInUse = [
  'planner',
  'researcher',
  'expert',
  'critic',
  'finalizer',
  'verifier',
] as const satisfies readonly ModelRole[]

/** The roles that a model plays for a synthesis of papers; `embedding` only where one was chosen. */
export const paperRoles = [
  'analyzer',
  'synthesizer',
  'verifier',
  'embedding',
] as const satisfies readonly ModelRole[]

/** The roles of which people are told: each has a model, the one of its own or the default one. */
export const shownRoles = [
  ...rolesInUse,
  'analyzer',
  'synthesizer',
] as const satisfies readonly ModelRole[]

/** The roles for which a model can be chosen; `embedding` alone has no other to stand in for it. */
export const chosenRoles = [
  'default',
  ...rolesInUse,
  'analyzer',
  'synthesizer',
  'embedding',
] as const satisfies readonly ModelRole[]
