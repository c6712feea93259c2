import { expect, it } from 'vitest';
import { ProbeData } from '../../../../src/page/chart/data/probe-data.ts';

const DAY = 86_400_000;

it('requests the rain around the charted period, which decides which of its rain counts', async () => {
  const rainPeriod: unknown[] = [];
  await new Promise<void>((settled) => {
    const service = {
      onChange: () => () => undefined,
      call: async (operation: string, { from, to }: { from?: string; to?: string }) => {
        if (operation === 'list_rain') rainPeriod.push(from, to);
        return { body: { data: [], next_cursor: null, category: 'SOIL_PROBE', parcelId: 1 } };
      },
    };
    const options = { service: service as never, moduleId: 1, zone: 'UTC', onChange: settled };
    new ProbeData(options).events.want([{ resolution: 4, start: 10 * DAY, end: 58 * DAY }]);
  });
  expect(rainPeriod).toEqual(['1970-01-07T00:00:00.000Z', '1970-03-04T00:00:00.000Z']);
});

it('draws a due watering as one that ran, and as assumed unless somebody saw it', async () => {
  const row = {
    startedAt: new Date(20 * DAY).toISOString(),
    durationMin: 60,
    waterMm: 12,
    status: 'planned',
  };
  const waterings = {
    data: [1, 2, 3].map((id) => ({ id, ...row })),
    witness: [
      { eventId: 1, witness: 'probe' },
      { eventId: 2, witness: 'assumed', unseen: 'no_rise' },
    ],
    next_cursor: null,
  };
  const tile = { resolution: 4 as const, start: 10 * DAY, end: 58 * DAY };
  const data = await new Promise<ProbeData>((resolve) => {
    const service = {
      onChange: () => () => undefined,
      call: async (operation: string) => ({
        body:
          operation === 'list_waterings'
            ? waterings
            : { data: [], next_cursor: null, category: 'SOIL_PROBE', parcelId: 1 },
      }),
    };
    const onChange = () => resolve(read);
    const read = new ProbeData({ service: service as never, moduleId: 1, zone: 'UTC', onChange });
    read.events.want([tile]);
  });
  const [loaded] = data.events.loaded;
  expect(loaded?.value.waterings.map(({ isCounted, isAssumed }) => [isCounted, isAssumed])).toEqual(
    [
      [true, false],
      [true, true],
      [false, false],
    ],
  );
});
