export const isDeepRun = process.env.ACEQUIA_TEST_DEEP === '1';

/** On PostgreSQL every statement is a round trip. */
const SHARE = process.env.ACEQUIA_TEST_STORE === 'postgres' ? 20 : 6;

/** The examples of a property: `count` in a deep run, and fewer otherwise. */
export const propertyRuns = (count: number): number =>
  isDeepRun ? count : Math.ceil(count / SHARE);
