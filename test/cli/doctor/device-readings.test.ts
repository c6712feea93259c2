import { expect, it } from 'vitest';
import { describeNewestReadings } from '../../../src/cli/doctor/farm-checks.ts';

const humidity = { type: 'humidity', depth: null, value: 81 };

it('calls the humidity of a weather station that of the air', () => {
  const rain = { type: 'rain', depth: null, value: 2 };
  expect(describeNewestReadings([humidity, rain])).toBe('air humidity 81 %, rain 2 mm');
  expect(describeNewestReadings([humidity])).toBe('moisture 81 %');
});
