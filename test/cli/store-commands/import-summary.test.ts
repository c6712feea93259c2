import { expect, it } from 'vitest';
import { formatFarmReport } from '../../../src/cli/store-commands/import-summary.ts';
import { type FarmImportReport, newImportCounts } from '../../../src/service/farm/farm-rows.ts';

const reportOf = (modules: number, completedDoses = 0): FarmImportReport => ({
  company: { id: 1, name: 'Mas Rouge', outcome: 'created' },
  users: newImportCounts(),
  parcels: newImportCounts(),
  gateways: newImportCounts(),
  modules: { ...newImportCounts(), created: modules },
  sensors: newImportCounts(),
  soilLayers: newImportCounts(),
  installations: newImportCounts(),
  moduleResults: Array.from({ length: modules }, (_, index) => ({
    id: index + 1,
    uid: `U${index + 1}`,
    name: null,
    outcome: 'created',
  })),
  completedDoses,
  zoneChange: null,
  plans: { added: 0, changed: 0, removed: 0 },
});

const moduleLines = (modules: number): string[] =>
  formatFarmReport('farm.json', reportOf(modules))
    .split('\n')
    .filter((line) => /module #|more module/.test(line));

it('lists the first ten modules of an import, and counts the others', () => {
  expect(moduleLines(10)).toHaveLength(10);
  expect(moduleLines(11).slice(9)).toEqual([
    '  module #10 "U10" ("U10") created',
    '  and 1 more module',
  ]);
  expect(moduleLines(2000).at(-1)).toBe('  and 1,990 more modules');
  expect(formatFarmReport('farm.json', reportOf(2000))).toContain(
    '  2,000 modules: 2,000 created\n',
  );
});

it.each([
  [1, '1 watering got its missing dose'],
  [3, '3 waterings got their missing dose'],
])('counts the doses that an import completed: %i', (count, sentence) =>
  expect(formatFarmReport('farm.json', reportOf(1, count))).toContain(`  ${sentence}\n`),
);
