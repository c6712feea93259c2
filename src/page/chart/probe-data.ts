import type { ChartedRain, ChartedWatering } from '../../chart/moisture-chart.ts';
import { parseIsoDate } from '../../domain/calendar.ts';
import { pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, type Period } from '../../domain/periods.ts';
import { midnightAt } from '../../domain/time-zone.ts';
import { RAIN_MARGIN_DAYS, rainByDay, toRainRecord } from '../../domain/weather/rain.ts';
import type { ThresholdSuggestionBody } from '../../schema/advice/advice.ts';
import type { BacktestBody, ListedAlertBody } from '../../schema/alerts/alert.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import type { WateringBody } from '../../schema/irrigation/watering.ts';
import type { AgronomicStateBody } from '../../schema/moisture/series.ts';
import type { RainBody } from '../../schema/weather/rain.ts';
import type { Service } from '../service/service.ts';
import {
  type BacktestFeed,
  type BacktestRequest,
  createBacktestFeed,
} from '../thresholds/backtest-feed.ts';
import type { ProbeFacts } from '../thresholds/threshold-lines.ts';
import { type ConciseSeries, type SeriesTile, toSeriesTile } from './series.ts';
import { createTileCache, RESOLUTIONS, type Tile, type TileCache, tileKey } from './tiles.ts';

interface ProbeModule {
  readonly category: string | null;
  readonly parcelId: number | null;
}

export interface ProbeData {
  readonly series: TileCache<Tile, SeriesTile>;
  readonly events: TileCache<Tile, WaterEvents>;
  readonly backtests: BacktestFeed;
  module(): ProbeModule | null;
  facts(): ProbeFacts | null;
  suggestion(): ThresholdSuggestionBody | null;
  failure(): unknown;
  /** Loads lines, alerts and the state again, after a write or a change elsewhere. */
  loadFacts(): Promise<void>;
  /** It takes a moment, so it is not loaded before a line is pulled. */
  loadSuggestion(): void;
  /** After new readings: loads again what reaches past this instant. */
  outdate(since: number): void;
}

interface ProbeDataOptions {
  readonly service: Service;
  readonly moduleId: number;
  readonly zone: string;
  /** Called when something was loaded, or could not be. */
  onChange(): void;
}

const PAGE_ROWS = 200;

export function createProbeData({
  service,
  moduleId,
  zone,
  onChange,
}: ProbeDataOptions): ProbeData {
  let module: ProbeModule | null = null;
  let facts: ProbeFacts | null = null;
  let suggestion: ThresholdSuggestionBody | null = null;
  let isSuggestionRequested = false;
  let failure: unknown = null;

  const read = async <Body>(
    operation: string,
    fields: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Body> => (await service.perform<Body>(operation, fields, { signal })).body;

  async function allRows<Row>(
    operation: string,
    fields: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: Row[]; next_cursor: string | null } = await read(
        operation,
        { ...fields, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) },
        signal,
      );
      rows.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);

    return rows;
  }

  async function loadSeries(tile: Tile, signal: AbortSignal): Promise<SeriesTile> {
    const interval = RESOLUTIONS[tile.resolution]!.intervalMs / 1000;
    const fields = {
      moduleId,
      ...isoPeriod(tile),
      interval,
      align: 'local',
      depths: true,
      detail: 'concise',
    };

    return toSeriesTile(
      await read<ConciseSeries>('get_moisture_series', fields, signal),
      tile,
      zone,
    );
  }

  async function loadModule(): Promise<ProbeModule> {
    module ??= await read<ProbeModule>('get_module', { moduleId });
    return module;
  }

  /** A tensiometer often has no watering of its own, so those of its parcel are read. */
  async function loadEvents(tile: Tile, signal: AbortSignal): Promise<WaterEvents> {
    const { category, parcelId } = await loadModule();
    const { start: from, end: to } = isoPeriod(tile);
    // Records of the days around decide what counts on a day.
    const rainPeriod = isoPeriod({
      start: tile.start - RAIN_MARGIN_MS,
      end: tile.end + RAIN_MARGIN_MS,
    });
    const target = category === 'TENSIOMETER' && parcelId !== null ? { parcelId } : { moduleId };
    const [waterings, rain] = await Promise.all([
      allRows<WateringRow>('list_waterings', { ...target, from, to, detail: 'concise' }, signal),
      allRows<RainBody>('list_rain', { from: rainPeriod.start, to: rainPeriod.end }, signal),
    ]);

    return { waterings, rain };
  }

  async function loadFacts(): Promise<void> {
    try {
      const [, state, alerts, humidity, tension] = await Promise.all([
        loadModule(),
        read<AgronomicStateBody>('get_agronomic_state', { moduleId }),
        allRows<ListedAlertBody>('list_alerts', { moduleId, isActive: true }),
        read<{ data: AnnotationBody[] }>('list_annotations', { moduleId, limit: PAGE_ROWS }),
        read<{ data: AnnotationBody[] }>('list_annotations', {
          moduleId,
          chartType: 'tensio',
          limit: PAGE_ROWS,
        }),
      ]);
      facts = { state, alerts, annotations: [...humidity.data, ...tension.data] };
      failure = null;
    } catch (error) {
      failure = error;
    }

    onChange();
  }

  const loadBacktest = ({ start, ...rule }: BacktestRequest): Promise<BacktestBody> =>
    read<BacktestBody>('backtest_alert', {
      moduleId,
      ...rule,
      start: new Date(start).toISOString(),
    });

  const backtests = createBacktestFeed(loadBacktest, onChange);

  const cache = { keyOf: tileKey, onSettled: onChange };
  const series = createTileCache({ ...cache, load: loadSeries, capacity: 90 });
  const events = createTileCache({ ...cache, load: loadEvents, capacity: 60 });

  return {
    series,
    events,
    backtests,
    loadFacts,
    module: () => module,
    facts: () => facts,
    suggestion: () => suggestion,
    failure: () => failure ?? series.failure() ?? events.failure() ?? null,
    loadSuggestion() {
      if (isSuggestionRequested) return;

      isSuggestionRequested = true;
      read<ThresholdSuggestionBody>('suggest_thresholds', { moduleId }).then(
        (body) => {
          suggestion = body;
          onChange();
        },
        // Without it nothing is suggested; the next pull loads it again.
        () => {
          isSuggestionRequested = false;
        },
      );
    },
    outdate(since) {
      const isAffected = ({ end }: Period): boolean => end > since;
      series.outdate(isAffected);
      events.outdate(isAffected);
      backtests.clear();
    },
  };
}

const isoPeriod = ({ start, end }: Period) => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

const RAIN_MARGIN_MS = RAIN_MARGIN_DAYS * DAY_MS;
const SHORTEST_BACKTEST_MS = 90 * DAY_MS;
const LONGEST_BACKTEST_MS = 730 * DAY_MS;

/**
 * The view, but at least the default period of backtest_alert, and at most the two years that it
 * accepts.
 */
export const backtestStart = (view: Period, now: number, zone: string): number =>
  pointStart(
    Math.max(Math.min(view.start, now - SHORTEST_BACKTEST_MS), now - LONGEST_BACKTEST_MS + DAY_MS),
    DAY_MS,
    zone,
  );

/** A concise answer omits fields that are null. */
export type WateringRow = Pick<WateringBody, 'id' | 'moduleId' | 'startedAt' | 'status'> &
  Partial<Pick<WateringBody, 'durationMin' | 'waterMm'>>;

interface WaterEvents {
  readonly waterings: readonly WateringRow[];
  readonly rain: readonly RainBody[];
}

/**
 * A watering of a parcel is logged on each of its probes; of those that start together, the probe's
 * own is drawn.
 */
export function chartedWaterings(
  events: readonly WaterEvents[],
  moduleId: number,
): ChartedWatering[] {
  const all = events
    .flatMap(({ waterings }) => waterings)
    .filter(({ status }) => status !== 'skipped');
  const own = all.filter((watering) => watering.moduleId === moduleId);
  const byStart = new Map([...all, ...own].map((watering) => [watering.startedAt, watering]));
  const separate =
    own.length === all.length ? new Map(own.map((watering) => [watering.id, watering])) : byStart;

  return [...separate.values()].map(({ startedAt, durationMin, waterMm, status }) => ({
    at: Date.parse(startedAt),
    durationMin: durationMin ?? null,
    mm: waterMm ?? null,
    isPlanned: status === 'planned',
  }));
}

/** The rain that counts, by day. */
export function chartedRain(
  events: readonly WaterEvents[],
  parcelId: number | null,
  zone: string,
): ChartedRain[] {
  const rows = new Map(events.flatMap(({ rain }) => rain).map((row) => [row.id, row]));
  const records = [...rows.values()].map((row) => toRainRecord(row, zone));
  return rainByDay(records, parcelId).map(({ localDay, mm }) => ({
    at: midnightAt(parseIsoDate(localDay), zone),
    mm,
  }));
}
