import type { Call } from '../operation/call.ts';
import type { AdviceBody } from '../schema/advice.ts';
import type { IrrigationConfigurationBody } from '../schema/installation.ts';
import type { ModuleBody } from '../schema/place.ts';
import type { MoistureSeriesBody } from '../schema/series.ts';
import { inService } from './in-service.ts';
import { isoOf } from './wire.ts';

/** A module in service, as its single operations tell of it. */
export interface Looked {
  readonly id: number;
  /** Null for what measures no soil moisture. */
  readonly advice: AdviceBody | null;
  readonly setup: IrrigationConfigurationBody;
  /** Newest reading, ISO 8601. */
  readonly lastAt: string | null;
  /** Nothing came for over 25 hours, or since ever. */
  readonly isSilent: boolean;
}

/** Modules that are looked at side by side: a far service need not be waited for one by one. */
const AT_ONCE = 4;

/** Looks at every module in service, in their order. */
export async function lookAt(call: Call, modules: readonly ModuleBody[]): Promise<Looked[]> {
  const looked: (Looked | null)[] = modules.map(() => null);
  let next = 0;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (next < modules.length) {
      const place = next++;
      // Calls that came in meanwhile get their turn.
      await new Promise((resolve) => setImmediate(resolve));
      looked[place] = await inService(() => look(call, modules[place]!));
      call.onStep?.(++done, modules.length);
    }
  };
  // Each lane ends before a failure is told: none may go on asking once the call is over.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
  return looked.filter((each) => each !== null);
}

async function look(call: Call, { id, category }: ModuleBody): Promise<Looked> {
  const isOfSoil = category !== 'WEATHER_STATION' && category !== 'TENSIOMETER';
  const advised = isOfSoil ? ((await call.perform('advise_watering', { moduleId: id })) as AdviceBody) : null;
  const advice = advised?.reasons.includes('NO_SOIL_MOISTURE') ? null : advised;
  const setup = (await call.perform('get_irrigation_setup', { moduleId: id })) as IrrigationConfigurationBody;
  return { id, advice, setup, ...(advice === null ? await heardOf(call, id) : lastOf(advice)) };
}

const lastOf = ({ time, reasons }: AdviceBody) => ({
  lastAt: time,
  isSilent: reasons.includes('STALE_DATA') || reasons.includes('NO_DATA'),
});

/** When a station or a tensiometer was last heard of: a short stretch of its series tells. */
async function heardOf(call: Call, moduleId: number) {
  const asked = { moduleId, start: isoOf(call.now - 60_000), maxPoints: 1 };
  const { freshness } = (await call.perform('get_moisture_series', asked)) as MoistureSeriesBody;
  return { lastAt: freshness.time, isSilent: !freshness.isFresh };
}
