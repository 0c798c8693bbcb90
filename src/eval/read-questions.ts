import { ZodError, z } from 'zod'
import { ScholiumError } from '../kernel/errors.ts'
import type { ContextText, Draft, EvalQuestion, RefusedLine } from './question.ts'

/** Recognizes and reads the records of one question set. */
interface SetReader {
  readonly set: string
  /** How its records are used, in one sentence. */
  readonly treatment: string
  /** Whether a record belongs to this set, by its fields. */
  fits(record: Readonly<Record<string, unknown>>): boolean
  /** @throws a `ZodError` for a record whose fields hold something else */
  read(record: unknown): Draft
}

const id = z.union([z.string().min(1), z.number()]).transform(String)
const nonEmptyText = z.string().trim().min(1)

/** Creates a reader from a schema, so that its fields are typed. */
function createReader<Fields>(
  set: string,
  treatment: string,
  parts: {
    readonly has: readonly string[]
    readonly isMeant?: (record: Readonly<Record<string, unknown>>) => boolean
    readonly fields: z.ZodType<Fields>
    readonly draft: (fields: Fields) => Draft
  },
): SetReader {
  const { has, isMeant = () => true, fields, draft } = parts
  return {
    set,
    treatment,
    fits: (record) => has.every((name) => Object.hasOwn(record, name)) && isMeant(record),
    read: (record) => draft(fields.parse(record)),
  }
}

/** @see https://hotpotqa.github.io (the distractor setting; both forms in which it is published) */
const hotpotContext = z.union([
  z
    .object({ title: z.array(z.string()), sentences: z.array(z.array(z.string())) })
    .transform(({ title, sentences }) =>
      title.map((name, index): ContextText => joinSentences(name, sentences[index] ?? [])),
    ),
  z
    .array(z.tuple([z.string(), z.array(z.string())]))
    .transform((pages) => pages.map(([name, sentences]) => joinSentences(name, sentences))),
])

function joinSentences(title: string, sentences: readonly string[]): ContextText {
  return { title, text: sentences.join('') }
}

const hotpotqaDistractor = createReader(
  'hotpotqa-distractor',
  'the ten pages of each question are its sources; the evidence labels are ignored',
  {
    has: ['question', 'answer', 'context', 'supporting_facts'],
    fields: z.object({
      id: id.optional(),
      _id: id.optional(),
      question: nonEmptyText,
      answer: nonEmptyText,
      context: hotpotContext,
    }),
    draft: ({ id, _id, question, answer, context }) => ({
      ...makeId(id ?? _id),
      question,
      answers: [answer],
      context,
    }),
  },
)

const hotpotqa = createReader('hotpotqa', 'questions only: the library must contain the answers', {
  has: ['question', 'answer', 'type'],
  isMeant: ({ type, context }) =>
    (type === 'bridge' || type === 'comparison') && context === undefined,
  fields: z.object({ id: id.optional(), question: nonEmptyText, answer: nonEmptyText }),
  draft: ({ id, question, answer }) => ({ ...makeId(id), question, answers: [answer] }),
})

/** The result line of a solution. @see https://github.com/openai/grade-school-math */
const gsm8kResult = /\n#### (.+?)\s*$/

const gsm8k = createReader(
  'gsm8k',
  'the answer is the number behind "####", without commas; the worked solution is ignored',
  {
    has: ['question', 'answer'],
    isMeant: ({ answer }) => typeof answer === 'string' && gsm8kResult.test(answer),
    fields: z.object({ id: id.optional(), question: nonEmptyText, answer: nonEmptyText }),
    draft: ({ id, question, answer }) => ({
      ...makeId(id),
      question,
      answers: [(gsm8kResult.exec(answer)?.[1] ?? answer).replaceAll(',', '')],
    }),
  },
)

const svamp = createReader('svamp', 'body and question are combined; 17.0 is written as 17', {
  has: ['Body', 'Question', 'Answer'],
  fields: z.object({
    ID: id.optional(),
    Body: nonEmptyText,
    Question: nonEmptyText,
    Answer: z.number(),
  }),
  draft: ({ ID, Body, Question, Answer }) => ({
    ...makeId(ID),
    question: `${/[.!?]$/.test(Body) ? Body : `${Body}.`} ${Question}`,
    answers: [String(Answer)],
  }),
})

const pubmedqaLabels = ['yes', 'no', 'maybe']

const pubmedqa = createReader(
  'pubmedqa',
  'the abstract without its conclusion is the source; the answer is yes, no or maybe',
  {
    has: ['QUESTION', 'CONTEXTS', 'final_decision'],
    fields: z.object({
      pmid: id.optional(),
      QUESTION: nonEmptyText,
      CONTEXTS: z.array(z.string()),
      LABELS: z.array(z.string()).default([]),
      final_decision: z.enum(pubmedqaLabels),
    }),
    draft: ({ pmid, QUESTION, CONTEXTS, LABELS, final_decision }) => ({
      ...makeId(pmid),
      question: `${QUESTION} (Answer yes, no or maybe.)`,
      answers: [final_decision],
      labels: pubmedqaLabels,
      context: [
        {
          title: pmid === undefined ? 'Abstract' : `PubMed ${pmid}`,
          text: joinAbstract(CONTEXTS, LABELS),
        },
      ],
    }),
  },
)

function joinAbstract(parts: readonly string[], labels: readonly string[]): string {
  return parts
    .map((part, index) => (labels[index] ? `## ${labels[index]}\n\n${part}` : part))
    .join('\n\n')
}

const noInfo = 'NOT ENOUGH INFO'
const feverLabels = ['SUPPORTS', 'REFUTES', noInfo]

/** A claim as a question that names the labels. */
function claimQuestion(claim: string, labels: readonly string[]): string {
  return `What do the sources say of this claim: ${labels.join(', ')}? Claim: ${claim}`
}

const climateLabels = [...feverLabels, 'DISPUTED']

const climateFever = createReader(
  'climate-fever',
  'the five evidence sentences of each claim are its sources, by article; their labels are ignored',
  {
    has: ['claim', 'claim_label', 'evidences'],
    fields: z.object({
      claim_id: id.optional(),
      claim: nonEmptyText,
      claim_label: z.string().transform((label) => label.replaceAll('_', ' ')),
      evidences: z.array(z.object({ article: z.string(), evidence: z.string() })),
    }),
    draft: ({ claim_id, claim, claim_label, evidences }) => ({
      ...makeId(claim_id),
      question: claimQuestion(claim, climateLabels),
      answers: [claim_label],
      labels: climateLabels,
      context: groupByArticle(evidences),
    }),
  },
)

function groupByArticle(
  evidences: readonly { readonly article: string; readonly evidence: string }[],
): readonly ContextText[] {
  const articles = [...new Set(evidences.map(({ article }) => article))]
  return articles.map((title) => {
    const own = evidences.filter(({ article }) => article === title)
    return { title, text: own.map(({ evidence }) => evidence).join('\n\n') }
  })
}

const fever = createReader('fever', 'claims and labels only: the library must contain the pages', {
  has: ['claim', 'label', 'verifiable'],
  fields: z.object({ id: id.optional(), claim: nonEmptyText, label: z.enum(feverLabels) }),
  draft: ({ id, claim, label }) => ({
    ...makeId(id),
    question: claimQuestion(claim, feverLabels),
    answers: [label],
    labels: feverLabels,
  }),
})

const scifactLabels = ['SUPPORT', 'CONTRADICT', noInfo]

const scifact = createReader(
  'scifact',
  'claims and labels only: the library must contain the abstracts; without evidence the label is NOT ENOUGH INFO',
  {
    has: ['claim', 'cited_doc_ids', 'evidence'],
    fields: z.object({
      id: id.optional(),
      claim: nonEmptyText,
      evidence: z.record(z.string(), z.array(z.object({ label: z.enum(scifactLabels) }))),
    }),
    draft: ({ id, claim, evidence }) => {
      const labels = Object.values(evidence).flatMap((sets) => sets.map(({ label }) => label))
      return {
        ...makeId(id),
        question: claimQuestion(claim, scifactLabels),
        answers: labels.length === 0 ? [noInfo] : [...new Set(labels)],
        labels: scifactLabels,
      }
    },
  },
)

function makeId(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id }
}

/** The public sets, recognized by their fields; sets with more fields come first. */
const knownSets: readonly SetReader[] = [
  hotpotqaDistractor,
  hotpotqa,
  gsm8k,
  svamp,
  pubmedqa,
  climateFever,
  fever,
  scifact,
]

/** A question set. */
export interface QuestionSet {
  readonly questions: readonly EvalQuestion[]
  readonly refused: readonly RefusedLine[]
  /** How the records of each set in it are used. */
  readonly treatments: readonly { readonly set: string; readonly treatment: string }[]
}

/**
 * Reads the questions of a JSON Lines text, each record as the public set it belongs to, otherwise as the user's own
 * (`ownName`). Lines that are not questions are reported; empty lines are ignored.
 * @throws `invalid_input` if two questions have the same id
 */
export function readQuestions(text: string, ownName: string): QuestionSet {
  const questions: EvalQuestion[] = []
  const refused: RefusedLine[] = []
  for (const [index, written] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (written.trim() === '') continue
    const line = index + 1
    const read = readLine(written, ownName)
    if ('reason' in read) refused.push({ line, reason: read.reason })
    else questions.push(toQuestion(read.draft, read.set, line))
  }
  requireOwnIds(questions)
  const sets = new Set(questions.map(({ set }) => set))
  const treatments = knownSets
    .filter(({ set }) => sets.has(set))
    .map(({ set, treatment }) => ({ set, treatment }))
  return { questions, refused, treatments }
}

type ReadLine = { readonly reason: string } | { readonly set: string; readonly draft: Draft }

function readLine(written: string, ownName: string): ReadLine {
  let record: unknown
  try {
    record = JSON.parse(written)
  } catch (error) {
    return { reason: `it is not JSON: ${(error as Error).message}` }
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return { reason: 'it is not a JSON object' }
  const known = knownSets.find((reader) => reader.fits(record as Record<string, unknown>))
  try {
    const draft = known === undefined ? readOwnRecord(record) : known.read(record)
    return draft.files !== undefined && draft.context !== undefined
      ? { reason: 'it has both files and context: give only one' }
      : { set: known?.set ?? ownName, draft }
  } catch (error) {
    if (!(error instanceof ZodError)) throw error
    return { reason: describeError(error, known?.set) }
  }
}

function describeError({ issues }: ZodError, set: string | undefined): string {
  const told = issues.slice(0, 3).map(({ path, message }) => {
    return path.length === 0 ? message : `"${path.join('.')}": ${message}`
  })
  return `${set === undefined ? '' : `read as ${set}, `}${told.join('; ')}`
}

function toQuestion(draft: Draft, set: string, line: number): EvalQuestion {
  return { id: `line-${line}`, labels: [], files: [], context: [], ...draft, set, line }
}

/** Results are stored by id, so ids must be unique. */
function requireOwnIds(questions: readonly EvalQuestion[]): void {
  const lines = new Map<string, number>()
  for (const { id, line } of questions) {
    const first = lines.get(id)
    if (first !== undefined) {
      throw new ScholiumError(
        'invalid_input',
        `Lines ${first} and ${line} have the same id "${id}".`,
        {
          hint: 'Give each question a unique id, or omit the ids.',
        },
      )
    }
    lines.set(id, line)
  }
}

const text = z.string().trim().min(1)
/** Numbers are written as in JavaScript: 17, not 17.0. Booleans can be said in two ways. */
const gold = z.union([
  text.transform((one) => [one]),
  z.number().transform((one) => [String(one)]),
  z.boolean().transform((is) => (is ? ['yes', 'true'] : ['no', 'false'])),
])

const context = z
  .union([
    text.transform((only): readonly ContextText[] => [{ title: 'Context', text: only }]),
    z.array(
      z.union([
        text.transform((one) => ({ title: '', text: one })),
        z.object({ title: z.string(), text }),
      ]),
    ),
  ])
  .transform((texts) =>
    texts.map(({ title, text }, index) => ({ title: title || `Context ${index + 1}`, text })),
  )

const fields = z.object({
  id: z.union([text, z.number().transform(String)]).optional(),
  question: text,
  answer: gold.nullable().optional(),
  answers: z.array(gold).optional(),
  labels: z.array(text).min(2).optional(),
  files: z.union([text.transform((one) => [one]), z.array(text)]).optional(),
  context: context.optional(),
})

/**
 * Reads a user's own record: `question`, optional `answer` or `answers`, `labels`, and `files` or `context`.
 * @throws a `ZodError` for invalid fields
 */
function readOwnRecord(record: unknown): Draft {
  const { id, question, answer, answers, labels, files, context } = fields.parse(record)
  return {
    question,
    answers: answers?.flat() ?? answer ?? [],
    ...(id === undefined ? {} : { id }),
    ...(labels === undefined ? {} : { labels }),
    ...(files === undefined ? {} : { files }),
    ...(context === undefined ? {} : { context }),
  }
}
