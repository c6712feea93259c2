import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubtLine, type JudgedHeight } from '../../../src/domain/moisture/line-limits.ts';
import { SOIL_HORIZONS } from '../../../src/domain/soil/soil-catalog.ts';
import { propertyRuns } from '../../property-runs.ts';

/** A field capacity of 28 %, a wilting point of 14 %, a saturation of 46 %. */
const LOAM = { fieldCapacity: 0.28, wiltingPoint: 0.14, saturation: 0.46 };
const drawn = (height: number, fields: Partial<JudgedHeight> = {}): JudgedHeight => ({
  height,
  suggested: null,
  confirmed: null,
  ...fields,
});
const capacity = (height: number, fields?: Partial<JudgedHeight>) =>
  doubtLine('fieldCapacity', drawn(height, fields), LOAM);

describe('a drawn field capacity', () => {
  it.each([20, 28, 36])('is believed in loam at %s', (height) => {
    expect(capacity(height)).toBeNull();
  });

  it('is doubted more than 8 points from that of its class', () => {
    expect(capacity(19.9)).toEqual({
      line: 'fieldCapacity',
      height: 19.9,
      expected: 28,
      basis: 'soil_profile',
    });
    expect(capacity(2.8)?.basis).toBe('soil_profile');
  });

  it('is compared with what past waterings suggest rather than with its class', () => {
    expect(capacity(39, { suggested: 35 })).toBeNull();
    expect(capacity(22, { suggested: 35 })).toMatchObject({ expected: 35, basis: 'suggestion' });
  });

  it('is doubted from 3 points below saturation on, whatever is suggested', () => {
    expect(capacity(45, { suggested: 44 })).toMatchObject({ expected: 43, basis: 'saturation' });
  });

  it('is believed at the height that a person confirmed, and at no other', () => {
    expect(capacity(45, { confirmed: 45 })).toBeNull();
    expect(capacity(44, { confirmed: 45 })).not.toBeNull();
  });

  it('is doubted where the probe was moved since, whoever confirmed it', () => {
    const moved = { line: 'fieldCapacity', height: 28, expected: 28, basis: 'moved' };
    expect(capacity(28, { confirmed: 28, isOfEarlierPlace: true })).toEqual(moved);
  });

  it('cannot be judged without a soil and a suggestion', () => {
    expect(doubtLine('fieldCapacity', drawn(45), null)).toBeNull();
  });
});

it('doubts no line at the figure of any texture class', () => {
  const lines = fc.constantFrom('fieldCapacity' as const, 'wiltingPoint' as const);
  fc.assert(
    fc.property(fc.constantFrom(...SOIL_HORIZONS), lines, (soil, line) => {
      expect(doubtLine(line, drawn(100 * soil[line]), soil)).toBeNull();
    }),
    { numRuns: propertyRuns(200) },
  );
});
