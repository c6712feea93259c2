import { it } from 'vitest';

export const isDeepRun = process.env.ACEQUIA_TEST_DEEP === '1';

/** Defines a test of deep runs alone, in one of FILES_WITH_VARIANTS or another that they have. */
export function itInDeepRuns(name: string, test: () => unknown): void {
  if (isDeepRun) it(name, test);
}

/** On PostgreSQL every statement is a round trip. */
const SHARE = process.env.ACEQUIA_TEST_STORE === 'postgres' ? 40 : 10;

/** The examples of a property: `count` in a deep run, and fewer otherwise. */
export const propertyRuns = (count: number): number =>
  isDeepRun ? count : Math.ceil(count / SHARE);
