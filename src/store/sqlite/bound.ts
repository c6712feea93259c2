/** Whether the binding would take a number for the 0 that it is so close to. */
const isBoundAsZero = (value: unknown): boolean => typeof value === 'number' && value > 0 && value < Number.EPSILON;

/** Parameters as the binding keeps them: what it would take for 0 is given as text, which a column of numbers reads. */
export const bindableValues = (parameters: readonly unknown[]): readonly unknown[] =>
  parameters.some(isBoundAsZero)
    ? parameters.map((value) => (isBoundAsZero(value) ? String(value) : value))
    : parameters;
