import { describe, expect, it } from 'vitest'
import { pictureOf } from '../graph/draw-graph.ts'
import { askGraph } from './ask.ts'
import type { TeamParts } from './team.ts'
import { teamPicture } from './team-edges.ts'

describe('the picture of the team', () => {
  it('is that of its graph', () => {
    expect(teamPicture).toEqual(pictureOf(askGraph({} as TeamParts)))
  })
})
