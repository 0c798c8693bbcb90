import { describe, expect, it } from 'vitest'
import { compareSentences, measureOverlap, toComparedSentence } from './compare-sentences.ts'

const relation = (one: string, other: string) =>
  compareSentences(toComparedSentence(one), toComparedSentence(other))

describe('two sentences of different papers', () => {
  it.each([
    [
      'Pre-training improves accuracy on all tasks.',
      'Pre-training improved accuracy on all tasks.',
    ],
    [
      'We find that dropout reduces overfitting in small networks.',
      'Dropout reduces overfitting in small networks.',
    ],
  ])('are alike: %s / %s', (one, other) => {
    expect(relation(one, other)).toBe('agree')
  })

  it.each([
    [
      'Training time increases with the number of windows per layer.',
      'Training time decreases with the number of windows per layer.',
    ],
    [
      'Dropout reduces overfitting in small networks.',
      'Dropout does not reduce overfitting in small networks.',
    ],
    [
      'The melting point of glimmerstone is 412 degrees Celsius.',
      'The melting point of glimmerstone is 512 degrees Celsius.',
    ],
  ])('are against each other: %s / %s', (one, other) => {
    expect(relation(one, other)).toBe('contradict')
    expect(relation(other, one)).toBe('contradict')
  })

  it.each([
    ['Moths like red lamps in summer nights.', 'The corpus has forty documents of legal text.'],
    ['It works.', 'It works.'],
    [
      'Sparse attention reduces memory use by 38 percent on long documents.',
      'Sparse attention reduces memory use on long documents in each experiment.',
    ],
  ])('have nothing to do with each other, or too little to tell: %s / %s', (one, other) => {
    expect(relation(one, other)).toBe('unrelated')
  })

  it.each([
    [
      'Our method outperforms the baseline on image classification without further data.',
      'Our method outperforms the baseline on image classification.',
    ],
    [
      'Larger models show higher accuracy on the benchmark, and not only on easy questions.',
      'Larger models show higher accuracy on the benchmark questions.',
    ],
  ])('neither agree nor disagree for a negation next to what both say: %s / %s', (one, other) => {
    expect(relation(one, other)).toBe('unrelated')
    expect(relation(other, one)).toBe('unrelated')
  })

  it.each([
    [
      'The model achieves 92 percent accuracy on ImageNet.',
      'The model achieves 88 percent accuracy on CIFAR-10.',
    ],
    [
      'Our model achieves 92 percent accuracy on the test set.',
      'Our model achieves 88 percent accuracy on the test set.',
    ],
    [
      'The training of the model took 3.5 days on 8 GPUs.',
      'The training of the model took 5 days on 16 GPUs.',
    ],
    [
      'Participants of the study lost 5 kg in ten weeks.',
      'Participants of the study lost 3 kg in ten weeks.',
    ],
    [
      'The melting point of glimmerstone is 412 degrees Celsius.',
      'The boiling point of glimmerstone is 512 degrees Celsius.',
    ],
    [
      'The GDP of the US rose by 3 percent in the year 1999.',
      'The GDP of the UK rose by 4 percent in the year 1999.',
    ],
    [
      'Dropout reduces the error on MNIST to 1.25 percent.',
      'Dropout reduces the error on CIFAR to 12.6 percent.',
    ],
    [
      'Pre-training increases accuracy on small data sets.',
      'Pre-training decreases accuracy on large data sets.',
    ],
    [
      'Pre-training increases accuracy on small sets of images.',
      'Pre-training increases accuracy on large sets of images.',
    ],
    [
      'This approach increases accuracy on long texts.',
      'This approach decreases accuracy on long texts.',
    ],
  ])('do not speak of the same, so that neither contradicts: %s / %s', (one, other) => {
    expect(relation(one, other)).toBe('unrelated')
    expect(relation(other, one)).toBe('unrelated')
  })

  it('share as much as the shorter one has of the other', () => {
    const one = toComparedSentence('Dropout reduces overfitting in small networks.')
    const other = toComparedSentence('Dropout reduces overfitting in small networks of many kinds.')
    expect(measureOverlap(one, other)).toBe(1)
    expect(measureOverlap(one, toComparedSentence('Nothing alike.'))).toBe(0)
  })
})
