import type { Depth } from '../../src/ask/result.ts'
import { passagesIn } from '../../src/testing/index.ts'

/** What a question's team is to do. */
export interface Shape {
  readonly name: string
  readonly question: string
  readonly depth: Depth
  /** What the planner plans to look up. */
  readonly researchSteps: readonly string[]
  /** For each of them the numbers of those that it needs; absent where none needs another. */
  readonly needs?: readonly (readonly number[])[]
  /** Researchers' results that their critic refuses before it approves. */
  readonly rejections: number
  /** Whether the expert calculates first. */
  readonly calculates: boolean
}

const usual = { depth: 'thorough', rejections: 0, calculates: false } as const

const oneStep = {
  ...usual,
  question: 'What does CRISPR stand for?',
  researchSteps: ['What CRISPR stands for'],
}
const twoSteps = {
  ...usual,
  question: 'What does CRISPR stand for, and who discovered penicillin?',
  researchSteps: ['What CRISPR stands for', 'Who discovered penicillin'],
}

/** The questions of the bench: a plan without research, with several steps, and with a retry. */
export const shapes: readonly Shape[] = [
  {
    ...usual,
    name: 'no research',
    question: 'What shall I read first?',
    researchSteps: [],
  },
  { ...oneStep, name: 'one research step' },
  { ...oneStep, name: 'one research step, standard', depth: 'standard' },
  { ...oneStep, name: 'one research step, quick', depth: 'quick' },
  { ...twoSteps, name: 'two research steps' },
  { ...twoSteps, name: 'two research steps, standard', depth: 'standard' },
  { ...twoSteps, name: 'two research steps, quick', depth: 'quick' },
  {
    ...usual,
    name: 'four research steps',
    question: 'Who found penicillin, CRISPR and insulin, and what is Mars?',
    researchSteps: ['penicillin', 'CRISPR', 'insulin', 'Mars'],
  },
  {
    ...usual,
    name: 'eight research steps',
    question: 'What is known of all of these?',
    researchSteps: ['penicillin', 'CRISPR', 'insulin', 'Mars', 'coffee', 'plates', 'bees', 'light'],
  },
  {
    ...usual,
    name: 'four, the last after the first',
    question: 'Who found penicillin, CRISPR and insulin, and what came of the first?',
    researchSteps: ['penicillin', 'CRISPR', 'insulin', 'What came of step 1'],
    needs: [[], [], [], [1]],
  },
  {
    ...usual,
    name: 'a retry',
    question: 'Who discovered penicillin?',
    researchSteps: ['Who discovered penicillin'],
    rejections: 1,
  },
  {
    ...usual,
    name: 'a calculation',
    question: 'What is the sum of 2 and 2?',
    researchSteps: [],
    calculates: true,
  },
]

function planOf({ researchSteps, needs }: Shape): object {
  return { research_steps: researchSteps, ...(needs && { needs }), expert_steps: ['Answer.'] }
}

/** A request of the chat completions interface, as far as it is read here. */
export interface ChatRequest {
  readonly stream?: boolean
  readonly tools?: readonly unknown[]
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
}

/** What the model says: text, or a call of a tool. */
export type Reply = { readonly text: string } | { readonly tool: string; readonly input: object }

/** What the model says to the next request of a question of this shape. */
export function teamOf(shape: Shape): (request: ChatRequest) => Reply {
  let rejections = shape.rejections
  return (request) => {
    const [system = '', user = ''] = ['system', 'user'].map((role) =>
      String(request.messages.findLast((message) => message.role === role)?.content ?? ''),
    )
    if (system.startsWith('You judge a research result') && rejections-- > 0)
      return json({ decision: 'reject', feedback: 'Quote the source.' })
    if (system.startsWith('You judge')) return json({ decision: 'approve', feedback: '' })
    if (system.startsWith('You plan')) return json(planOf(shape))
    if (/^You (?:look things up|search a library)/.test(system)) return researcher(request, user)
    const isResearched = shape.researchSteps.length > 0
    if (system.startsWith('You answer a question') && shape.calculates && !isAnswered(request))
      return { tool: 'calculate', input: { expression: '2 + 2' } }
    const answer = isResearched ? citedLine(user) : '2 + 2 = 4.'
    if (system.startsWith('You answer a question'))
      return json({ expert_answer: answer, reasoning_trace: 'Taken from the findings.' })
    return json({ final_answer: answer, final_reasoning_trace: 'Looked up, then answered.' })
  }
}

function json(value: unknown): Reply {
  return { text: JSON.stringify(value) }
}

/** Whether a tool's result has just come. */
function isAnswered(request: ChatRequest): boolean {
  return request.messages.at(-1)?.role === 'tool'
}

/** Searches, then quotes the first sentence of the first passage. */
function researcher(request: ChatRequest, user: string): Reply {
  const query = /(?:Research this|Answer this question): (.*)/.exec(user)?.[1] ?? user
  if (!isAnswered(request)) return { tool: 'search_library', input: { query, limit: 3 } }
  const [first] = passagesIn(String(request.messages.at(-1)?.content))
  if (first === undefined) return json({ result: 'The sources do not say.' })
  const sentence = first.text.replaceAll(/^#.*$/gm, '').trim().split(/\.\s/)[0] ?? ''
  return json({ result: `${sentence.replace(/\.$/, '')} [${first.n}].` })
}

/** The first sentence of the material that has a number behind it. */
function citedLine(material: string): string {
  const found = /"((?:[^"\\]|\\.)*\[\d+\]\.)"/.exec(material)?.[1]
  return found === undefined ? 'The sources do not say.' : (JSON.parse(`"${found}"`) as string)
}
