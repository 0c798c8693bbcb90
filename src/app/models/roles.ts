import type { ModelRole } from '../../kernel/model/model.ts'

/** The roles of models in a question, in addition to `default`, which stands for all of them. */
export const rolesInUse = [
  'planner',
  'researcher',
  'expert',
  'critic',
  'finalizer',
  'verifier',
] as const satisfies readonly ModelRole[]

/** The roles of models in a synthesis of papers; `embedding` only if one was chosen. */
export const paperRoles = [
  'analyzer',
  'synthesizer',
  'verifier',
  'embedding',
] as const satisfies readonly ModelRole[]

/** The roles to show: each has its own model or the default one. */
export const shownRoles = [
  ...rolesInUse,
  'analyzer',
  'synthesizer',
] as const satisfies readonly ModelRole[]

/** The roles for which a model can be chosen; for `embedding`, the default is not used. */
export const chosenRoles = [
  'default',
  ...rolesInUse,
  'analyzer',
  'synthesizer',
  'embedding',
] as const satisfies readonly ModelRole[]
