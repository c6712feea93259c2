import { expect, it } from 'vitest';
import { entryOf } from '../../../src/domain/items.ts';
import type { UnitSystem } from '../../../src/domain/units.ts';
import { toolFields } from '../../../src/operation/arguments/tool-fields.ts';
import { newReading } from '../../../src/operation/arguments/tool-reading.ts';
import { AcequiaError } from '../../../src/schema/error.ts';
import { checkedEquipment } from '../../../src/service/irrigation/installation-entry.ts';
import { assertPlausibleEquipment } from '../../../src/service/irrigation/plausible-equipment.ts';
import setParcelInstallation from '../../../tools/irrigation/set-parcel-installation.ts';
import { FARM_NOW } from '../../farm.ts';
import { renderText } from '../../language/render-text.ts';

const US = { countryCode: 'US', units: 'us' } as const;
const FR = { countryCode: 'FR', units: 'metric' } as const;
const rate = (
  flowMmPerH: unknown,
  irrigatedAreaM2?: unknown,
  country: typeof US | typeof FR = US,
) => {
  const { byName } = toolFields(setParcelInstallation);
  const context = { ...country, zone: 'Europe/Paris', now: FARM_NOW };
  const reading = newReading(byName, { irrigatedAreaM2 }, context);
  return entryOf(byName, 'flowMmPerH').read(flowMmPerH, reading);
};

it('spreads a flow over the area beside it', () => {
  // 900 x 60 x 3.785411784 L/h on 125 x 4046.8564224 m2.
  expect(rate('900 gpm', '125 acres')).toBeCloseTo(0.40409, 4);
  expect(() => rate('900 gpm', '125 acres', FR)).toThrow(/gallon/);
  expect(() => rate('900 gpm')).toThrow(/cannot be read/);
  expect(rate('0.35 in/h', '125 acres')).toBeCloseTo(8.89, 4);
  expect(rate(4, '125 acres')).toBe(4);
});

it('asks with both readings', () => {
  const sent = { system: 'drip', emitterFlowLph: 2, emitterSpacingM: 50, lineSpacingM: 2 } as const;
  expect(() => assertPlausibleEquipment(sent)).toThrow(
    expect.objectContaining({
      message: 'emitterSpacingM is 50 m, which gives 0.02 mm/h; no equipment has that.',
      hint: 'Ask whether 50 m or 50 cm (2 mm/h) is meant, and give it with its unit.',
    }),
  );
  expect(setParcelInstallation.tool?.check).toBe(assertPlausibleEquipment);
});

/** Its message and hint, as a person reads them. */
function refusalOf(run: () => void, units: UnitSystem): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    const { message, hint } = error.texts;
    return `${renderText(message, units)} ${renderText(hint!, units)}`;
  }
  throw new Error('It was accepted');
}

it.each([
  [
    { system: 'drip', flowMmPerH: 500 },
    'is 500 mm/h; no equipment has that. Ask whether 500 mm/h or 500 mm/day',
    'is 19.7 in/h (500 mm/h); no equipment has that. Ask whether 19.7 in/h (500 mm/h) or 500 mm/day',
  ],
  [
    { system: 'drip', emitterFlowLph: 0.002, emittersPerM2: 1 },
    'is 0.002 L/h, which gives 0.002 mm/h;',
    'is 0.00053 gph (0.002 L/h), which gives 0.00008 in/h (0.002 mm/h);',
  ],
  [
    { system: 'drip', emitterFlowLph: 4000 * 3.785411784, emittersPerM2: 1 },
    'or 15141.6 mL/h (15.142 mm/h) is meant',
    'or 15141.6 mL/h (0.6 in/h [15.1 mm/h]) is meant',
  ],
] as const)('asks whether %j is meant', (sent, metric, us) => {
  expect(refusalOf(() => assertPlausibleEquipment(sent), 'metric')).toContain(metric);
  expect(refusalOf(() => assertPlausibleEquipment(sent), 'us')).toContain(us);
});

it('gives the highest rate in the units of the reader', () => {
  const perTree = { system: 'drip', emitterFlowLph: 2, emittersPerM2: 501 } as const;
  const refused = () => checkedEquipment(perTree);
  expect(refusalOf(refused, 'us')).toContain(
    'gives 39.4 in/h (1002 mm/h), more than 39.37 in/h (1000 mm/h).',
  );
  expect(refused).toThrow('gives 1002 mm/h, more than 1000.');
});
