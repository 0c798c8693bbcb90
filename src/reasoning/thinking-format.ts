/** The ways of thinking that a prompt can ask for. */
export const thinkingFormats = ['step_by_step', 'pros_cons', 'tree', 'first_principles'] as const

/** A way of thinking. */
export type ThinkingFormat = (typeof thinkingFormats)[number]

const instructions: Readonly<Record<ThinkingFormat, string>> = {
  step_by_step:
    'Think step by step: number the steps, do one thing in each, and check the last one before you answer.',
  pros_cons:
    'List pros and cons: name each possible answer, list what speaks for it and what speaks against it, weigh them, and decide.',
  tree: 'Think in a tree structure: name the branches that the problem can be followed into, follow each one level down, cut off those that fail and say why, and go on with the best.',
  first_principles:
    'Think from first principles: name what is known for certain, question what is only assumed, and build the answer from the certain alone.',
}

/** The format of a name; `step_by_step` for a name that stands for none. */
export function thinkingFormatOf(name: string | undefined): ThinkingFormat {
  return thinkingFormats.find((format) => format === name) ?? 'step_by_step'
}

/** What a model is told of a format. */
export function thinkingInstruction(format: ThinkingFormat): string {
  return instructions[format]
}
