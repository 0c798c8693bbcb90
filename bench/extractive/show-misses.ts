// Shows the questions that are not answered correctly, with their answers: [SCHOLIUM_DATA=…] node bench/extractive/show-misses.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askQuestions } from './ask-questions.ts'
import { questionSets } from './question-sets.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-misses-'))
try {
  for (const set of questionSets(folder, process.env.SCHOLIUM_DATA)) {
    const { misses } = await askQuestions(set)
    console.log(`\n${set.name}: ${misses.length} of ${set.questions.length}`)
    for (const { question, answer } of misses) console.log(`  ${question}\n    ${answer}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
