import { describe, expect } from 'vitest';
import type { IngestResult } from '../../../src/schema/ingest/ingest-batch.ts';
import type { WeatherDayBody } from '../../../src/schema/weather/weather-days.ts';
import { HOUR, iso, it, type TestFarm } from '../../farm.ts';

/** The local day before, in Europe/Paris. */
const DAY_START = Date.UTC(2026, 5, 29, 22);

const rowsOfDay = (device: object) =>
  Array.from({ length: 24 }, (_, hour) => {
    const time = iso(DAY_START + hour * HOUR);
    return [
      { ...device, type: 'wind', time, value: 2 },
      // 250 W/m2 on average are 21.6 MJ/m2 a day.
      { ...device, type: 'radiation', time, value: hour % 2 === 0 ? 500 : -3 },
    ];
  }).flat();

const send = (farm: TestFarm, weather: object[]) => farm.wire<IngestResult>('ingest', { weather });

const weatherOf = async (farm: TestFarm, day: string) =>
  (await farm.wire<{ data: WeatherDayBody[] }>('get_weather', { from: day, to: day })).data[0];

describe('wind and radiation of a station', () => {
  it('become those of the day, the same again changes nothing', async ({ farm }) => {
    for (let time = 0; time < 2; time++)
      expect(await send(farm, rowsOfDay({ module: 'Mast' }))).toMatchObject({
        weather: { written: 48, refused: 0 },
      });
    expect(await weatherOf(farm, '2026-06-30')).toMatchObject({ windMs: 2, radiationMj: 21.6 });
  });

  it('of a device are kept until it is assigned to a station', async ({ farm }) => {
    expect((await send(farm, rowsOfDay({ device: 'gw/station' }))).readings.storedUnassigned).toBe(
      48,
    );
    const assign = (module: string) =>
      farm.wire('assign_device', { device: 'gw/station', moduleId: farm.idOf(module), depths: [] });
    await expect(assign('North 1')).rejects.toMatchObject({ code: 'invalid_body' });
    expect(await assign('Mast')).toMatchObject({ earlierReadings: 48 });
    expect(await weatherOf(farm, '2026-06-30')).toMatchObject({ windMs: 2, radiationMj: 21.6 });
  });

  it('are rejected of a probe, of an unknown module, and out of range', async ({ farm }) => {
    const time = iso(DAY_START);
    expect(
      await send(farm, [
        { module: 'North 1', type: 'wind', time, value: 2 },
        { module: 'Nowhere', type: 'wind', time, value: 2 },
        { module: 'Mast', type: 'wind', time: 'noon', value: 2 },
        { module: 'Mast', type: 'rain', time, value: 2 },
        { module: 'Mast', type: 'radiation', time, value: 9_999 },
      ]),
    ).toMatchObject({
      weather: { written: 0, refused: 5 },
      refused: [
        { location: 'weather[0]', reason: 'the module is not a weather station' },
        { reason: 'unknown module' },
        {},
        {},
        { reason: 'value is not a number of m/s or W/m2' },
      ],
    });
  });
});
