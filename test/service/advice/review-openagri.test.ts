import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { ReviewBody, UnloggedRiseBody } from '../../../src/schema/advice.ts';
import { DAY, HOUR, iso, type TestFarm, withFarm } from '../../farm.ts';
import { installProbe, moistureSensorsAt, type TestProbe } from '../moisture/probe-farm.ts';

/** A year of hourly moisture at six depths of a real probe, with rain beside it: mm in the hour. */
const OPEN_AGRI = process.env.ACEQUIA_TEST_OPENAGRI;

const DEPTHS = [10, 20, 30, 40, 50, 60];
const HEAVY_RAIN_MM = 3;

interface Hour {
  readonly at: number;
  readonly moisture: readonly number[];
  readonly rainMm: number;
}

async function hoursOf(path: string): Promise<Hour[]> {
  const rows = (await readFile(path, 'utf8')).trim().split('\n').slice(1);
  const hours = rows.map((row) => {
    const [time, ...cells] = row.split(',');
    const at = Date.parse(`${time!.replace(' ', 'T')}Z`);
    return { at, moisture: cells.slice(0, 6).map(Number), rainMm: Number(cells[6]) };
  });
  return [...new Map(hours.map((hour) => [hour.at, hour])).values()].sort((a, b) => a.at - b.at);
}

const rainWithin = (hours: readonly Hour[], from: number, to: number): number =>
  hours.reduce((sum, { at, rainMm }) => sum + (at >= from && at < to ? rainMm : 0), 0);

async function recorded(farm: TestFarm, hours: readonly Hour[]): Promise<TestProbe> {
  const probe = await installProbe(farm, { sensors: moistureSensorsAt(...DEPTHS), rootDepthCm: 60 });
  for (const sensor of DEPTHS.keys())
    await probe.record(
      sensor,
      hours.map(({ at, moisture }) => [at, moisture[sensor]!] as const),
    );
  return probe;
}

async function candidates(farm: TestFarm, { id }: TestProbe, first: number, last: number): Promise<UnloggedRiseBody[]> {
  const found: UnloggedRiseBody[] = [];
  for (let start = first; start < last; start += 90 * DAY) {
    const query = { moduleId: id, start: iso(start), end: iso(Math.min(last, start + 90 * DAY)), limit: 200 };
    found.push(...(await farm.wire<ReviewBody>('review_waterings', query)).unlogged);
  }
  return found;
}

it.skipIf(OPEN_AGRI === undefined)(
  'finds the rains of a real year in its soil, in the file that ACEQUIA_TEST_OPENAGRI names',
  () =>
    withFarm(async (farm) => {
      const hours = await hoursOf(OPEN_AGRI!);
      const [first, last] = [hours[0]!.at, hours.at(-1)!.at];
      farm.now = last + HOUR;
      const found = await candidates(farm, await recorded(farm, hours), first, last);

      const days = Array.from(
        { length: Math.ceil((last - first) / DAY) },
        (_, day) => Math.floor(first / DAY + day) * DAY,
      );
      const rainy = days.filter((day) => rainWithin(hours, day, day + DAY) > HEAVY_RAIN_MM);
      const detected = rainy.filter((day) =>
        found.some(({ start }) => Date.parse(start) >= day && Date.parse(start) < day + 2 * DAY),
      );
      const explained = found.filter(({ start }) => {
        const at = Date.parse(start);
        return rainWithin(hours, at - DAY, at + 3 * HOUR) > HEAVY_RAIN_MM;
      });
      process.stderr.write(
        `${detected.length} of ${rainy.length} days with more than ${HEAVY_RAIN_MM} mm of rain detected; ${explained.length} of ${found.length} rises after such rain\n`,
      );
      expect(detected.length / rainy.length).toBeGreaterThanOrEqual(0.7);
      expect(explained.length / found.length).toBeGreaterThanOrEqual(0.9);
    }),
  60_000,
);
