import { beforeAll, describe, expect, it } from 'vitest';
import { simulatedSoil } from './simulated-soil.ts';
import { type Situation, type SituationFarm, situationFarm } from './situation-farm.ts';

const moisture = simulatedSoil({ depthsCm: [10, 30, 50] });
const DRIP_LINES = {
  system: 'drip',
  emitterFlowLph: 2,
  emitterSpacingM: 0.9,
  lineSpacingM: 6.7,
  irrigatedAreaM2: 10_000,
};

const drawnCapacity = (value: unknown) => ({
  ...{ type: 'h-line', unit: 'vwc', at: 'yesterday', value, style: { fill: 'threshold1' } },
});

const situations: readonly Situation[] = [
  {
    name: 'Wide rows',
    moisture,
    installation: null,
    calls: [['set_module_installation', DRIP_LINES]],
  },
  {
    name: 'Measured rows',
    moisture,
    installation: null,
    calls: [['set_module_installation', { ...DRIP_LINES, fractionWetted: 0.2 }]],
  },
  ...[
    ['Swapped digits', [45]],
    ['Slipped point', [2.8]],
    ['Confirmed line', [45, 45]],
    ['Measured line', [30]],
  ].map(([name, heights]) => ({
    name: String(name),
    moisture,
    calls: [heights].flat().map((value) => ['create_annotation', drawnCapacity(value)] as const),
  })),
];

let farm: SituationFarm;
beforeAll(async () => {
  farm = await situationFarm(situations);
});

describe('a drawn field capacity', () => {
  it.each([
    ['Swapped digits', 45, 'soil that drains holds at most 43'],
    ['Slipped point', 2.8, 'its texture class has 28 %'],
  ])('of %s (%s %%) gives no amount, and is to be checked first', async (name, height, why) => {
    const advice = await farm.advise(name);
    expect(advice).toMatchObject({ deficitMm: null, durationMin: null, daysToStress: null });
    expect(advice.reasons).toContain('FIELD_CAPACITY_IN_DOUBT');
    expect(advice.summary).toMatch(`The field capacity is drawn at ${height} %, but ${why}`);
    const { checkFirst } = await farm.body('morning_brief');
    expect(JSON.stringify(checkFirst)).toContain('FIELD_CAPACITY_IN_DOUBT');
  });

  it('says at drawing what is doubted, with the undo', async () => {
    const { summary } = await farm.body('create_annotation', {
      ...{ module: 'Slipped point', ...drawnCapacity(3.8) },
    });
    expect(summary).toContain(
      'The field capacity is drawn at 3.8 %, but its texture class has 28 %',
    );
    expect(summary).toContain('undo takes it back');
  });

  it.each(['Confirmed line', 'Measured line'])('counts without a doubt: %s', async (name) => {
    const { reasons, deficitMm } = await farm.advise(name);
    expect(reasons).not.toContain('FIELD_CAPACITY_IN_DOUBT');
    expect(deficitMm).toBeGreaterThan(0);
  });
});

describe('the wetted fraction', () => {
  it('is that of the spacing of the lines where nobody measured it', async () => {
    const { fractionWetted, reasons, summary, deficitMm, netMm } = await farm.advise('Wide rows');
    // A strip of 1.1 m on loam, of 6.7 m.
    expect(fractionWetted).toBe(0.16);
    expect(netMm).toBeCloseTo(0.16 * (deficitMm ?? 0), 2);
    expect(reasons).toContain('FRACTION_OF_LINE_SPACING');
    expect(reasons).not.toContain('DEFAULT_FRACTION_WETTED');
    expect(summary).toContain('set fractionWetted 0.16 with correct_installation');
  });

  it('is the measured one where it was entered', async () => {
    const { fractionWetted, reasons } = await farm.advise('Measured rows');
    expect(fractionWetted).toBe(0.2);
    expect(reasons).not.toContain('FRACTION_OF_LINE_SPACING');
  });

  it('is said with the equipment, and not again with each watering', async () => {
    const declared = await farm.body('set_parcel_installation', {
      ...{ parcel: 'Wide rows block', system: 'drip', flowMmPerH: 1 },
    });
    expect(declared.summary).toContain('The wetted fraction 0.35 is the default for drip');
    const logged = await farm.body('log_watering', {
      ...{ module: 'Wide rows', startedAt: 'today 6:00', durationMin: 60, inputMode: 'duration' },
    });
    expect(logged.warnings).toEqual(['DEFAULT_FRACTION_WETTED']);
    expect(logged.summary).not.toContain('default');
  });
});
