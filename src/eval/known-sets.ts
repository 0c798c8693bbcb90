import { z } from 'zod'
import type { ContextText, Draft } from './question.ts'

/** How the records of one question set are known and read. */
export interface SetReader {
  readonly set: string
  /** What is done with its records, one sentence. */
  readonly treatment: string
  /** Whether a record is of this set, by its fields. */
  fits(record: Readonly<Record<string, unknown>>): boolean
  /** @throws a `ZodError` for a record whose fields hold something else */
  read(record: unknown): Draft
}

const id = z.union([z.string().min(1), z.number()]).transform(String)
const text = z.string().trim().min(1)

/** A reader made of a schema, so that its `read` has the fields typed. */
function reader<Fields>(
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
      title.map((name, index): ContextText => textOf(name, sentences[index] ?? [])),
    ),
  z
    .array(z.tuple([z.string(), z.array(z.string())]))
    .transform((pages) => pages.map(([name, sentences]) => textOf(name, sentences))),
])

function textOf(title: string, sentences: readonly string[]): ContextText {
  return { title, text: sentences.join('') }
}

const hotpotqaDistractor = reader(
  'hotpotqa-distractor',
  'the ten pages of each question are its sources; the evidence labels are ignored',
  {
    has: ['question', 'answer', 'context', 'supporting_facts'],
    fields: z.object({
      id: id.optional(),
      _id: id.optional(),
      question: text,
      answer: text,
      context: hotpotContext,
    }),
    draft: ({ id, _id, question, answer, context }) => ({
      ...idOf(id ?? _id),
      question,
      answers: [answer],
      context,
    }),
  },
)

const hotpotqa = reader('hotpotqa', 'questions only: the library must contain the answers', {
  has: ['question', 'answer', 'type'],
  isMeant: ({ type, context }) =>
    (type === 'bridge' || type === 'comparison') && context === undefined,
  fields: z.object({ id: id.optional(), question: text, answer: text }),
  draft: ({ id, question, answer }) => ({ ...idOf(id), question, answers: [answer] }),
})

/** The line of a solution that holds its result. @see https://github.com/openai/grade-school-math */
const gsm8kResult = /\n#### (.+?)\s*$/

const gsm8k = reader(
  'gsm8k',
  'the answer is the number behind "####", without commas; the worked solution is ignored',
  {
    has: ['question', 'answer'],
    isMeant: ({ answer }) => typeof answer === 'string' && gsm8kResult.test(answer),
    fields: z.object({ id: id.optional(), question: text, answer: text }),
    draft: ({ id, question, answer }) => ({
      ...idOf(id),
      question,
      answers: [(gsm8kResult.exec(answer)?.[1] ?? answer).replaceAll(',', '')],
    }),
  },
)

const svamp = reader('svamp', 'body and question are combined; 17.0 is written as 17', {
  has: ['Body', 'Question', 'Answer'],
  fields: z.object({ ID: id.optional(), Body: text, Question: text, Answer: z.number() }),
  draft: ({ ID, Body, Question, Answer }) => ({
    ...idOf(ID),
    question: `${/[.!?]$/.test(Body) ? Body : `${Body}.`} ${Question}`,
    answers: [String(Answer)],
  }),
})

const pubmedqaLabels = ['yes', 'no', 'maybe']

const pubmedqa = reader(
  'pubmedqa',
  'the abstract without its conclusion is the source; the answer is yes, no or maybe',
  {
    has: ['QUESTION', 'CONTEXTS', 'final_decision'],
    fields: z.object({
      pmid: id.optional(),
      QUESTION: text,
      CONTEXTS: z.array(z.string()),
      LABELS: z.array(z.string()).default([]),
      final_decision: z.enum(pubmedqaLabels),
    }),
    draft: ({ pmid, QUESTION, CONTEXTS, LABELS, final_decision }) => ({
      ...idOf(pmid),
      question: `${QUESTION} (Answer yes, no or maybe.)`,
      answers: [final_decision],
      labels: pubmedqaLabels,
      context: [
        {
          title: pmid === undefined ? 'Abstract' : `PubMed ${pmid}`,
          text: abstractOf(CONTEXTS, LABELS),
        },
      ],
    }),
  },
)

function abstractOf(parts: readonly string[], labels: readonly string[]): string {
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

const climateFever = reader(
  'climate-fever',
  'the five evidence sentences of each claim are its sources, by article; their labels are ignored',
  {
    has: ['claim', 'claim_label', 'evidences'],
    fields: z.object({
      claim_id: id.optional(),
      claim: text,
      claim_label: z.string().transform((label) => label.replaceAll('_', ' ')),
      evidences: z.array(z.object({ article: z.string(), evidence: z.string() })),
    }),
    draft: ({ claim_id, claim, claim_label, evidences }) => ({
      ...idOf(claim_id),
      question: claimQuestion(claim, climateLabels),
      answers: [claim_label],
      labels: climateLabels,
      context: byArticle(evidences),
    }),
  },
)

function byArticle(
  evidences: readonly { readonly article: string; readonly evidence: string }[],
): readonly ContextText[] {
  const articles = [...new Set(evidences.map(({ article }) => article))]
  return articles.map((title) => {
    const own = evidences.filter(({ article }) => article === title)
    return { title, text: own.map(({ evidence }) => evidence).join('\n\n') }
  })
}

const fever = reader('fever', 'claims and labels only: the library must contain the pages', {
  has: ['claim', 'label', 'verifiable'],
  fields: z.object({ id: id.optional(), claim: text, label: z.enum(feverLabels) }),
  draft: ({ id, claim, label }) => ({
    ...idOf(id),
    question: claimQuestion(claim, feverLabels),
    answers: [label],
    labels: feverLabels,
  }),
})

const scifactLabels = ['SUPPORT', 'CONTRADICT', noInfo]

const scifact = reader(
  'scifact',
  'claims and labels only: the library must contain the abstracts; without evidence the label is NOT ENOUGH INFO',
  {
    has: ['claim', 'cited_doc_ids', 'evidence'],
    fields: z.object({
      id: id.optional(),
      claim: text,
      evidence: z.record(z.string(), z.array(z.object({ label: z.enum(scifactLabels) }))),
    }),
    draft: ({ id, claim, evidence }) => {
      const labels = Object.values(evidence).flatMap((sets) => sets.map(({ label }) => label))
      return {
        ...idOf(id),
        question: claimQuestion(claim, scifactLabels),
        answers: labels.length === 0 ? [noInfo] : [...new Set(labels)],
        labels: scifactLabels,
      }
    },
  },
)

function idOf(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id }
}

/** The public sets that are known by their fields, the one with more fields before the one with fewer. */
export const knownSets: readonly SetReader[] = [
  hotpotqaDistractor,
  hotpotqa,
  gsm8k,
  svamp,
  pubmedqa,
  climateFever,
  fever,
  scifact,
]
