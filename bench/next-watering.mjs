const FIRST = Date.UTC(2025, 5, 1);
let written = 0;

export const nextWatering = () => ({
  module: 'North 1',
  startedAt: new Date(FIRST + written++ * 60_000).toISOString(),
  inputMode: 'duration',
  durationMin: 45,
});
