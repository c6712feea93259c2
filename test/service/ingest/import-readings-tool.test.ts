import { describe, expect } from 'vitest';
import { it as base, type TestFarm } from '../../farm.ts';

const it = base.extend<{ farm: TestFarm }>({
  farm: async ({ farm }, use) => {
    await farm.importFile({
      modules: [{ uid: 'North 1', sensors: [{ type: 'humidity', depth: 10 }] }],
    });
    await use(farm);
  },
});

const NORTH = { module: 'North 1' };

describe('import_readings', () => {
  it('reads a line break in a quoted cell of pasted text', async ({ farm }) => {
    const csv =
      'Time,"Soil moisture\n10 cm (%)",Notes\n2026-06-29 06:00,23.4,"pump on\nvalve 2"\n2026-06-29 07:00,23.3,\n';
    expect(await farm.tool('import_readings', { ...NORTH, csv })).toMatchObject({
      rows: 2,
      readings: { written: 2, refused: 0 },
    });
  });

  it('says why rows were rejected', async ({ farm }) => {
    const csv =
      'module,type,depth,time,value\nNowhere,humidity,10,2026-06-29 06:00,5\nNorth 1,humidity,10,2026-06-29 07:00,wet\n';
    expect((await farm.tool('import_readings', { csv, dryRun: true })).summary).toContain(
      '2 rows were rejected, at least in part: unknown module; value is not a number.',
    );
  });

  it.for([
    ['without the module', { csv: 'time,humidity_10\n2026-06-29 06:00,5\n' }, 'module'],
    [
      'with dates that can be read in two ways',
      { ...NORTH, csv: 'time,humidity_10\n03/04/2026 06:00,5\n' },
      'dates',
    ],
    [
      'with a map of a column that is not there',
      { ...NORTH, csv: 'time,humidity_10\n', map: 'A=humidity_20' },
      'map',
    ],
    [
      'with moisture that may be m3/m3',
      { ...NORTH, csv: 'time,VWC 10\n2026-06-29 06:00,0.2\n', dryRun: true },
      'map',
    ],
    [
      'with a zone that is none',
      { ...NORTH, csv: 'time,humidity_10\n', timezone: 'Europe/Pari' },
      'timezone',
    ],
  ] as const)('is refused %s, naming the argument', async ([, args, field], { farm }) => {
    const refusal = { field, hint: expect.any(String) };
    await expect(farm.tool('import_readings', args)).rejects.toMatchObject(refusal);
    expect(await farm.write((db) => db.selectFrom('readings').select('at').execute())).toEqual([]);
  });
});
