import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IRRIGATION_SYSTEMS } from '../../../src/domain/irrigation/dose.ts';
import {
  completeEquipment,
  type EquipmentInput,
} from '../../../src/domain/irrigation/equipment.ts';
import { keptFigures } from '../../../src/domain/irrigation/equipment-change.ts';
import { propertyRuns } from '../../property-runs.ts';

/** 2 L/h on 2 emitters per m2 are 4 mm/h. */
const LINES: EquipmentInput = {
  system: 'drip',
  emitterFlowLph: 2,
  emittersPerM2: 2,
  emitterSpacingM: 0.5,
  lineSpacingM: 1,
  fractionWetted: 0.4,
  irrigatedAreaM2: 12_000,
};
const { system: _, emitterFlowLph: __, ...UNDER_NEW_EMITTERS } = LINES;
const AREA = { irrigatedAreaM2: 12_000 };
const BY_RATE: EquipmentInput = { system: 'drip', flowMmPerH: 4, ...AREA };

const kept = (before: EquipmentInput, change: Partial<EquipmentInput>) =>
  keptFigures(completeEquipment(before), { system: 'drip', ...change });

describe('a change of equipment keeps', () => {
  it.each<[what: string, EquipmentInput, Partial<EquipmentInput>, object]>([
    ['all but the flow of new emitters', LINES, { emitterFlowLph: 2.3 }, UNDER_NEW_EMITTERS],
    [
      'nothing measured at another spacing',
      LINES,
      { emittersPerM2: 1 },
      { ...AREA, emitterFlowLph: 2 },
    ],
    [
      'no emitters that give another rate',
      LINES,
      { flowMmPerH: 5 },
      { ...AREA, fractionWetted: 0.4 },
    ],
    [
      'no spacing at which new emitters give another rate',
      LINES,
      { emitterFlowLph: 2.3, flowMmPerH: 5 },
      { ...AREA, fractionWetted: 0.4 },
    ],
    [
      'the spacing at which they give the same: 2.3 L/h x 2 is 4.6 mm/h',
      LINES,
      { emitterFlowLph: 2.3, flowMmPerH: 4.6 },
      UNDER_NEW_EMITTERS,
    ],
    ['the area under another system', LINES, { system: 'sprinkler' }, AREA],
    [
      'nothing that is emptied',
      LINES,
      { emitterFlowLph: 3, irrigatedAreaM2: null },
      {
        ...UNDER_NEW_EMITTERS,
        irrigatedAreaM2: undefined,
      },
    ],
    ['no entered rate of other emitters', BY_RATE, { emitterFlowLph: 2.3 }, AREA],
    ['an entered rate of the same', BY_RATE, { fractionWetted: 0.4 }, { ...AREA, flowMmPerH: 4 }],
    ['no default of the wetted fraction', BY_RATE, { flowMmPerH: 5 }, AREA],
  ])('%s', (_what, before, change, expected) => {
    expect(kept(before, change)).toEqual(expected);
  });

  it('no figure that is sent, and none that overrides a rate that is sent', () => {
    const figure = fc.option(fc.double({ min: 0.01, max: 1, noNaN: true }), { nil: undefined });
    const equipment = fc.record({
      system: fc.constantFrom(...IRRIGATION_SYSTEMS),
      emitterFlowLph: figure,
      emittersPerM2: figure,
      flowMmPerH: figure,
      fractionWetted: figure,
      irrigatedAreaM2: figure,
    });
    fc.assert(
      fc.property(equipment, equipment, (before, change) => {
        const figures = keptFigures(completeEquipment(before), change);
        const after = completeEquipment({ ...change, ...figures });
        for (const name of Object.keys(figures)) expect(change).toHaveProperty(name, undefined);

        const hasEmitters =
          change.emitterFlowLph !== undefined && change.emittersPerM2 !== undefined;
        if (change.flowMmPerH === undefined || hasEmitters) return;
        expect(Math.abs(after.flowMmPerH! / change.flowMmPerH - 1)).toBeLessThan(0.0201);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
