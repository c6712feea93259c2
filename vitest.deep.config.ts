import { testRun } from './vitest.config.ts';

/** Long runs: kills, fuzzing, load and the whole demo. */
export default testRun('.deep.test.ts');
