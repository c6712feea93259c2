import { expect, it } from 'vitest';
import { formatFarmReport } from '../../../src/cli/store-commands/import-summary.ts';
import { type FarmImportReport, newImportCounts } from '../../../src/service/farm/farm-rows.ts';

const reportOf = (modules: number, completedDoses = 0): FarmImportReport => ({
  company: { id: 1, name: 'Mas Rouge', outcome: 'created' },
  users: newImportCounts(),
  waterSources: newImportCounts(),
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
  zoneChange: [],
  plans: { added: 0, changed: 0, removed: 0 },
});

const moduleLines = (modules: number): string[] =>
  formatFarmReport('farm.json', reportOf(modules), 'en')
    .split('\n')
    .filter((line) => /module #|more module/.test(line));

it('lists the first ten modules of an import, and counts the others', () => {
  expect(moduleLines(10)).toHaveLength(10);
  expect(moduleLines(11).slice(9)).toEqual([
    '  module #10 "U10" ("U10") created',
    '  and 1 more module',
  ]);
  expect(moduleLines(2000).at(-1)).toBe('  and 1,990 more modules');
  expect(formatFarmReport('farm.json', reportOf(2000), 'en')).toContain(
    '  2,000 modules: 2,000 created\n',
  );
});

it.each([
  [1, '1 watering got its missing dose'],
  [3, '3 waterings got their missing dose'],
])('counts the doses that an import completed: %i', (count, sentence) =>
  expect(formatFarmReport('farm.json', reportOf(1, count), 'en')).toContain(`  ${sentence}\n`),
);

it('has one language', () => {
  expect(formatFarmReport('farm.json', reportOf(2), 'fr').split('\n').slice(0, 3)).toEqual([
    'farm.json : exploitation "Mas Rouge" (#1), création.',
    '  2 modules : 2 créations',
    '  module #1 "U1" ("U1"), création',
  ]);
});

it.each([
  [
    'en',
    '3 schedules keep their own time zones and plan waterings at the same instants as before. In the new time zone of the company: North 1 at 05:00 and 18:00 (it keeps Europe/Paris); and 2 more.',
    'The daily reminders of 1 alert follow the new time zone: North 1, 07:30.',
  ],
  [
    'fr',
    '3 programmes gardent leur propre fuseau horaire et prévoient leurs arrosages aux mêmes instants qu’avant. Dans le nouveau fuseau de l’exploitation : North 1 à 05:00 et 18:00 (il garde Europe/Paris) ; et 2 de plus.',
    'Les rappels quotidiens de 1 alerte suivent le nouveau fuseau horaire : North 1, 07:30.',
  ],
  [
    'es',
    '3 programas conservan su propio huso horario y prevén sus riegos en los mismos instantes que antes. En el nuevo huso de la finca: North 1, 05:00 y 18:00 (conserva Europe/Paris); y 2 más.',
    'Los recordatorios diarios de 1 alerta siguen el nuevo huso horario: North 1, 07:30.',
  ],
] as const)('says in %s what a new time zone means', (lang, schedules, reminders) => {
  const report: FarmImportReport = {
    ...reportOf(1),
    zoneChange: [
      {
        kind: 'schedules_keep_zone',
        schedules: [{ name: 'North 1', starts: ['05:00', '18:00'], timezone: 'Europe/Paris' }],
        count: 3,
      },
      {
        kind: 'reminders_follow_zone',
        alerts: [{ name: 'North 1', reminderTime: '07:30:00' }],
        count: 1,
      },
    ],
  };
  expect(formatFarmReport('farm.json', report, lang).split('\n')).toEqual(
    expect.arrayContaining([`  ${schedules}`, `  ${reminders}`]),
  );
});
