import type { z } from 'zod/v3';
import type { Lang } from '../../domain/lang.ts';
import { type ListPage, type PageRequest, readAllRows } from '../../domain/list-pages.ts';
import type { AdviceBody } from '../../schema/advice/advice.ts';
import type { ListedAlertBody } from '../../schema/alerts/alert.ts';
import type {
  Category,
  GatewayBody,
  ListedModuleBody,
  ModuleBody,
} from '../../schema/company/company.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { ListedDevice } from '../../schema/ingest/device.ts';
import type { IrrigationSetupBody } from '../../schema/irrigation/installation.ts';
import type { ScheduleBody } from '../../schema/irrigation/schedule.ts';
import type { WateringBody, WateringStatus } from '../../schema/irrigation/watering.ts';
import type {
  AgronomicStateBody,
  MoistureSeriesBody,
  seriesQuery,
} from '../../schema/moisture/series.ts';
import type { DetailLevel } from '../../schema/shared-fields.ts';
import type { RainBody } from '../../schema/weather/rain.ts';
import type { WeatherPageBody } from '../../schema/weather/weather.ts';
import { toIso } from '../wire-format.ts';

/** More than the readings of one day, one a minute. */
export const MAX_RECENT_READINGS = 5000;

type PartRun<Fields, Body> = (fields: Fields) => Promise<Body>;

type ByModule = { moduleId: number };

type ListOperation<Fields, Row> = PartRun<Fields & Partial<PageRequest>, ListPage<Row>>;

type WateringFilter = {
  moduleId?: number;
  parcelId?: number;
  from?: string;
  to?: string;
  status?: WateringStatus;
  /** Required, because totals cost more than the rows that an operation reads. */
  totals: 'none';
};

/** The operations that those of advice run as their parts, here or at a remote service. */
export interface PartReads {
  readonly adviseWatering: PartRun<ByModule, AdviceBody>;
  readonly getAgronomicState: PartRun<ByModule, AgronomicStateBody>;
  readonly getIrrigationSetup: PartRun<ByModule, IrrigationSetupBody>;
  readonly getModule: PartRun<ByModule, ModuleBody>;
  readonly getMoistureSeries: PartRun<
    ByModule & z.input<z.ZodObject<typeof seriesQuery>>,
    MoistureSeriesBody
  >;
  readonly getWeather: PartRun<object, WeatherPageBody>;
  readonly listAlerts: ListOperation<{ moduleId?: number; isActive?: boolean }, ListedAlertBody>;
  readonly listDevices: PartRun<{ isAssigned?: boolean; limit?: number }, { data: ListedDevice[] }>;
  readonly listGateways: ListOperation<object, GatewayBody>;
  readonly listModules: ListOperation<
    { category?: Category; detail?: DetailLevel; lang?: Lang },
    ListedModuleBody
  >;
  readonly listRain: ListOperation<{ from?: string; to?: string; totals: 'none' }, RainBody>;
  readonly listSchedules: ListOperation<{ isActive?: boolean }, ScheduleBody>;
  readonly listWaterings: ListOperation<WateringFilter, WateringBody>;
}

export async function wateringsBetween(
  { listWaterings }: Pick<PartReads, 'listWaterings'>,
  target: { moduleId: number } | { parcelId: number },
  { from, to, status }: { from: number; to: number; status?: WateringStatus },
): Promise<WateringBody[]> {
  const filter: WateringFilter = { ...target, from: toIso(from), to: toIso(to), totals: 'none' };
  if (status !== undefined) filter.status = status;
  return (await readAllRows((page) => listWaterings({ ...filter, ...page }))).reverse();
}

/**
 * The waterings of a probe's parcel, each once, although a watering is logged on every probe of the
 * parcel. A tensiometer often has no waterings of its own.
 */
export async function wateringsOfParcel(
  operations: Pick<PartReads, 'listWaterings'>,
  { id: moduleId, parcelId }: { readonly id: number; readonly parcelId: number | null },
  period: { from: number; to: number; status?: WateringStatus },
): Promise<WateringBody[]> {
  if (parcelId === null) return wateringsBetween(operations, { moduleId }, period);
  const all = await wateringsBetween(operations, { parcelId }, period);
  const own = all.filter((watering) => watering.moduleId === moduleId);
  // Of several with the same start the probe's own one remains, because it comes last.
  const byStart = new Map([...all, ...own].map((watering) => [watering.startedAt, watering]));
  return [...byStart.values()];
}

export const parseInstantOrNull = (time: string | null): number | null =>
  time === null ? null : Date.parse(time);

/** When a watering runs, in ms; with an unknown duration, it ends at its start. */
export const runPeriod = ({ startedAt, endedAt }: WateringBody) => ({
  start: Date.parse(startedAt),
  end: Date.parse(endedAt ?? startedAt),
});

/** The latest end of these waterings, in ms; null if there are none. */
export const lastWateringEnd = (waterings: readonly WateringBody[]): number | null =>
  waterings.length === 0 ? null : Math.max(...waterings.map((watering) => runPeriod(watering).end));

/** A module that was never commissioned is not found, which is no error for a farm as a whole. */
export async function nullIfNotFound<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AcequiaError && error.status === 404) return null;
    throw error;
  }
}
