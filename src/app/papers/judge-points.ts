import type { JudgePoints } from '../../observe/bundle/point-check.ts'
import { checkStatements } from '../../papers/check-statements.ts'

/** What code says of the points of a synthesis, by the code that the workflow runs. */
export const judgePoints: JudgePoints = async (points, read) =>
  checkStatements(
    points.map(({ text, citations }) => ({ text, n: citations[0] ?? 0 })),
    read,
  )
