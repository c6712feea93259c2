export interface Random {
  uniform(): number;
  normal(): number;
}

/**
 * Linear congruential generator modulo 2^32, upper bits only. Constants: Numerical Recipes, 2nd
 * edition, chapter 7.1.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const upper = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 16;
  };
  const uniform = (): number => (upper() * 65_536 + upper()) / 2 ** 32;
  // The sum of twelve uniform numbers minus six comes close enough to a normal distribution.
  const normal = (): number => {
    let sum = -6;
    for (let count = 0; count < 12; count++) sum += uniform();
    return sum;
  };
  return { uniform, normal };
}
