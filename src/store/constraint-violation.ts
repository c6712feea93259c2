/** Of a unique name, or of a reference to another row. */
export const isConstraintViolation = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(?:UNIQUE|FOREIGN KEY) constraint failed/.test(error.message) ||
    /^23(?:503|505)$/.test(String((error as { code?: unknown }).code)));
