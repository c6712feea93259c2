import { testRun } from '../vitest.config.ts';

/** Long runs: kills, fuzzing, load, the whole demo, and properties with many examples. */
export default testRun({ isDeep: true });
