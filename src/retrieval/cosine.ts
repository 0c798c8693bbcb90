/** The cosine of the angle between two vectors, -1 to 1; 0 where either has no length. @throws for different dimensions */
export function cosine(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length)
    throw new RangeError(`Vectors of ${one.length} and ${other.length} dimensions have no angle.`)
  let product = 0
  let oneSquare = 0
  let otherSquare = 0
  for (let index = 0; index < one.length; index++) {
    const [left, right] = [one[index] as number, other[index] as number]
    product += left * right
    oneSquare += left * left
    otherSquare += right * right
  }
  const lengths = Math.sqrt(oneSquare) * Math.sqrt(otherSquare)
  return lengths === 0 ? 0 : product / lengths
}
