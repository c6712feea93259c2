import { describe, expect, it } from 'vitest';
import { say } from '../../../src/domain/text/say.ts';
import {
  describeDeviceReading,
  describeTemperature,
} from '../../../src/language/ingest/device-readings.ts';
import { renderText } from '../render-text.ts';

describe('a reading of a device', () => {
  it.each([
    ['moisture 24.25 %', 'moisture 24.25 %', 'humidity', 24.25],
    ['temperature 18.5 °C', 'temperature 65.3 °F (18.5 °C)', 'temperature', 18.5],
    ['tension 30 kPa', 'tension 30 kPa', 'tensio', 30],
    ['rain 2 mm', 'rain 0.079 in (2 mm)', 'rain', 2],
    ['wind 3 m/s', 'wind 3 m/s', 'wind', 3],
    ['leaf wetness 1', 'leaf wetness 1', 'leaf_wetness', 1],
    ['"soil 1" 7', '"soil 1" 7', 'field:soil 1', 7],
  ])('is %j', (metric, us, kind, value) => {
    expect(renderText(describeDeviceReading(kind, value))).toBe(metric);
    expect(renderText(describeDeviceReading(kind, value), 'us')).toBe(us);
  });

  it.each([
    ['76.3 °C at 30 cm of Oak', '169.3 °F (76.3 °C) at 12 in (30 cm) of Oak', 30],
    ['76.3 °C in the air of Oak', '169.3 °F (76.3 °C) in the air of Oak', null],
  ])('of a temperature has its place: %s', (metric, us, depth) => {
    const text = describeTemperature(say`Oak`, { depth, celsius: 76.3 });
    expect(renderText(text)).toBe(metric);
    expect(renderText(text, 'us')).toBe(us);
  });
});
