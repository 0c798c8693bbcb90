import { describe, expect, it } from 'vitest'
import { adviceFor } from './advice.ts'
import type { PapersState } from './state.ts'

const begun = {
  searchFor: 'moths',
  category: '',
  count: 5,
  threshold: 0.7,
  papers: [],
  analyses: [],
  unread: [],
  dropped: [],
} as unknown as PapersState

/** A run that asked these places, of which each had no paper. */
function emptyAt(...places: readonly string[]): PapersState {
  const detail = 'There is no paper in /pdfs.'
  return {
    ...begun,
    search: places.map((place) => ({
      place,
      outcome: 'empty' as const,
      found: 0,
      detail: place === 'files' ? detail : '',
    })),
  }
}

describe('advice where no paper was found', () => {
  it('names the folder in which there is none, and asks for no other words', () => {
    const text = adviceFor(emptyAt('files'), 'no_papers')
    expect(text).toContain('No paper was found in files. There is no paper in /pdfs.')
    expect(text).toContain('- Give PDFs, or a folder with PDFs')
    expect(text).not.toContain('more general words')
  })

  it('says how papers come into the library', () => {
    const text = adviceFor(emptyAt('library'), 'no_papers')
    expect(text).toContain('scholium library add')
    expect(text).toContain('more general words')
  })
})

describe('advice where none could be used', () => {
  const paper = { id: 'a', title: 'Moths' }
  const one = { ...begun, papers: [paper] } as unknown as PapersState

  it('is about the file where it cannot be read, not about the threshold', () => {
    const unread = [{ paperId: 'a', status: 'unreadable' as const, reason: 'It is locked.' }]
    const text = adviceFor({ ...one, unread }, 'none_kept')
    expect(text).toContain(
      'The one paper that was found could not be used:\n- Moths: It is locked.',
    )
    expect(text).toContain('Save protected PDFs without a password')
    expect(text).not.toContain('--threshold')
    expect(text).not.toContain('Ask for more papers')
  })

  it('names the threshold only where that was it', () => {
    const dropped = [{ paperId: 'a', reason: 'x' }]
    const seen = (confidence: number) =>
      ({ ...one, dropped, analyses: [{ paperId: 'a', confidence }] }) as unknown as PapersState
    expect(adviceFor(seen(1), 'none_kept')).not.toContain('--threshold')
    expect(adviceFor(seen(0.5), 'none_kept')).toContain('--threshold')
  })
})
