import type { Row } from './row.ts';

export const NAME_ROWS: readonly Row[] = [
  {
    what: 'null for the other target',
    tool: 'log_watering',
    args: { module: 'Oak 1', parcel: null, startedAt: 'today 6:00', durationMin: 30 },
    says: /Logged 30 min of drip on Oak 1/,
  },
  {
    what: 'a bare number that ends another name',
    tool: 'log_watering',
    args: { module: '3', startedAt: 'today 6:00', durationMin: 30 },
    says: /"3" can mean several probes: "A[+]", "Elm 3"/,
  },
  {
    what: 'a noun before a name that is a number',
    tool: 'get_module',
    args: { module: 'probe 9' },
    says: /^9 is a soil probe/,
  },
  {
    what: 'names that differ by punctuation alone',
    tool: 'set_module',
    args: { name: 'A-', sensors: ['humidity 40 cm'] },
    says: /^Added: A- .* nearly that of A[+]/,
  },
  {
    what: 'no position',
    tool: 'set_module',
    args: { name: 'Oak 2', latitude: 0, longitude: 0 },
    says: /km from the nearest other module/,
  },
  {
    what: 'a position far from the others',
    tool: 'set_module',
    args: { name: 'Oak 2', latitude: 3.9, longitude: 43.6 },
    says: /km from the nearest other module/,
  },
  {
    what: 'a category that readings need',
    tool: 'set_module',
    args: { name: 'Oak 1', category: 'WEATHER_STATION' },
    says: /stays a SOIL_PROBE, because of readings/,
  },
  {
    what: 'the health of a probe without a gateway',
    tool: 'get_module_health',
    args: { module: 'Oak 1' },
    says: /has no gateway[.] Its newest reading is from/,
  },
  {
    what: 'a root depth that a probe may not use',
    tool: 'set_parcel',
    args: { name: 'Block C', rootDepthCm: '48 in' },
    says: /Block C, almond, roots 122 cm deep/,
  },
  {
    what: 'a probe that does not use it',
    tool: 'set_module',
    args: { name: 'Cliff', category: 'SOIL_PROBE', parcel: 'Block C', sensors: ['humidity 20 cm'] },
    says: /counts where no probe measures: advice at 1 probe .* another root depth, or none/,
  },
];
