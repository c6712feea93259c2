import { expect, it } from 'vitest';
import { AcequiaError } from '../../../../src/schema/error.ts';
import { assertOneSourceEach } from '../../../../src/service/ingest/devices/fields/sensor-sources.ts';
import { FARM_NOW } from '../../../farm.ts';
import { renderText } from '../../../language/render-text.ts';

const SOIL = { name: 'soil', type: 'humidity', unit: null, factor: 1, position: 0 } as const;
const READING = {
  device: 'D1',
  at: FARM_NOW,
  type: 'humidity',
  value: 24,
  minutes: null,
  isDayTotal: false,
};

it.each([
  [{ position: null, depthCm: 20 }, [20], 'its sensor at 20 cm'],
  [{ position: null, depthCm: null }, [], 'its sensor without a depth'],
  [{ position: 0, depthCm: null }, [20], 'its sensor number 1'],
])('names the sensor of a reading that a field is too: %j', (sent, depths, sensor) => {
  const fields = [{ ...SOIL, position: depths.length === 0 ? null : 0 }];
  const assign = () =>
    assertOneSourceEach({ moduleId: 1, depths, fields }, [{ ...READING, ...sent }]);
  expect(assign).toThrow(`The field "soil" and ${sensor} would be one sensor: `);
});

it('names its depth in the units of the farm', () => {
  try {
    assertOneSourceEach({ moduleId: 1, depths: [20], fields: [SOIL] }, [
      { ...READING, position: null, depthCm: 20 },
    ]);
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    expect(renderText(error.texts.message, 'us')).toContain('its sensor at 8 in (20 cm) would be');
  }
});
