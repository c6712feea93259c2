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
];

let farm: SituationFarm;
beforeAll(async () => {
  farm = await situationFarm(situations);
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
