import { farm } from './program.mjs';

const PROBES = 20;
const FIRST = Date.UTC(2025, 0, 2);
const EVERY_MS = 6 * 3_600_000;
let written = 0;

/** A year of waterings, four a day, fits the calls of all rounds. */
export const wateredFarm = {
  ...farm,
  modules: Array.from({ length: PROBES }, (_, index) => ({
    ...farm.modules[0],
    uid: `A${index + 1}`,
    name: `North ${index + 1}`,
  })),
};

export function nextWatering() {
  const index = written++;
  return {
    module: `North ${(index % PROBES) + 1}`,
    startedAt: new Date(FIRST + Math.floor(index / PROBES) * EVERY_MS).toISOString(),
    inputMode: 'duration',
    durationMin: 45,
  };
}
