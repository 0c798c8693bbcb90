// Shows the answers to the questions that may be looked at: SCHOLIUM_DATA=… node bench/qa/show-answers.ts
import { askAbstract } from './abstracts.ts'
import { supportScore } from './answer-scores.ts'
import { abstractQuestions, halfOf, twoPageQuestions } from './data-sets.ts'
import { askOverOwnPages } from './two-pages.ts'

const folder = process.env.SCHOLIUM_DATA ?? ''
const isDev = ({ id }: { readonly id: string }) => halfOf(id) === 'dev'
const indent = (text: string) => text.replaceAll('\n', '\n  ')

const questions = twoPageQuestions(folder).filter(isDev)
const replies = await askOverOwnPages(questions)
for (const [index, { type, question, answer, support }] of questions.entries()) {
  const { quoted = new Set<string>(), answer: given = '' } = replies[index] ?? {}
  const { f1 } = supportScore(quoted, support)
  console.log(`\n${type}: ${question} (right: ${answer})\n  ${f1.toFixed(2)}  ${indent(given)}`)
}
for (const question of abstractQuestions(folder).filter(isDev)) {
  const { answer } = await askAbstract(question)
  console.log(`\n${question.question} (right: ${question.decision})\n  ${indent(answer)}`)
}
