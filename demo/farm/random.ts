/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** Evenly from 0 (included) to 1 (excluded). */
  uniform(): number;
  /** Around 0 with a standard deviation of 1. */
  normal(): number;
}

/** Linear congruential generator modulo 2^32, upper bits only. Constants: Numerical Recipes, 2nd edition, chapter 7.1. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const upper = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 16;
  };
  const uniform = (): number => (upper() * 65_536 + upper()) / 2 ** 32;
  // The sum of twelve even numbers less six comes close enough to a normal distribution.
  const normal = (): number => {
    let sum = -6;
    for (let count = 0; count < 12; count++) sum += uniform();
    return sum;
  };
  return { uniform, normal };
}
