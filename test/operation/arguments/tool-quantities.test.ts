import { expect, it } from 'vitest';
import { readFlowOverArea } from '../../../src/operation/arguments/tool-values.ts';
import { assertPlausibleEquipment } from '../../../src/service/irrigation/plausible-equipment.ts';
import setParcelInstallation from '../../../tools/irrigation/set-parcel-installation.ts';

const US = { countryCode: 'US', units: 'us' } as const;
const FR = { countryCode: 'FR', units: 'metric' } as const;
const rate = (
  flowMmPerH: unknown,
  irrigatedAreaM2?: unknown,
  country: typeof US | typeof FR = US,
) =>
  readFlowOverArea(setParcelInstallation, 'flowMmPerH', flowMmPerH, { irrigatedAreaM2 }, country);

it('spreads a flow over the area beside it', () => {
  // 900 x 60 x 3.785411784 L/h on 125 x 4046.8564224 m2.
  expect(rate('900 gpm', '125 acres')).toBeCloseTo(0.40409, 4);
  expect(() => rate('900 gpm', '125 acres', FR)).toThrow(/gallon/);
  expect(rate('900 gpm')).toBeUndefined();
  expect(rate('0.35 in/h', '125 acres')).toBeUndefined();
  expect(rate(4, '125 acres')).toBeUndefined();
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
