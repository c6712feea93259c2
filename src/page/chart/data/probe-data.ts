import { isUnseen } from '../../../domain/advice/witness/witness.ts';
import { MAX_PAGE_ROWS, readAllRows } from '../../../domain/list-pages.ts';
import { DAY_MS, type Period } from '../../../domain/periods.ts';
import { RAIN_MARGIN_DAYS } from '../../../domain/weather/rain.ts';
import type { ThresholdSuggestionBody } from '../../../schema/advice/threshold-suggestion.ts';
import type { BacktestBody } from '../../../schema/alerts/alert.ts';
import type { CallBody, CallFields, OperationName } from '../../service/page-operations.ts';
import type { Service } from '../../service/page-service.ts';
import { BacktestFeed, type BacktestRequest } from '../../thresholds/backtest-feed.ts';
import type { ProbeLevels } from '../../thresholds/threshold-lines.ts';
import { type SeriesTile, toSeriesTile } from './series-tiles.ts';
import { TileCache } from './tile-cache.ts';
import { RESOLUTIONS, type Tile } from './tiles.ts';
import type { WaterEvents } from './water-events.ts';

interface ProbeModule {
  readonly category: string | null;
  readonly parcelId: number | null;
}

interface ProbeDataOptions {
  readonly service: Service;
  readonly moduleId: number;
  readonly zone: string;
  /** Called when something was loaded, or could not be. */
  onChange(): void;
}

const RAIN_MARGIN_MS = RAIN_MARGIN_DAYS * DAY_MS;

/** Everything that the chart of a probe loads. */
export class ProbeData {
  readonly series: TileCache<SeriesTile>;
  readonly events: TileCache<WaterEvents>;
  readonly backtests: BacktestFeed;
  readonly #options: ProbeDataOptions;
  #module: ProbeModule | null = null;
  #facts: ProbeLevels | null = null;
  #suggestion: ThresholdSuggestionBody | null = null;
  #isSuggestionRequested = false;
  #failure: unknown = null;

  constructor(options: ProbeDataOptions) {
    this.#options = options;
    const { onChange } = options;
    this.series = new TileCache<SeriesTile>({
      load: (tile, signal) => this.#loadSeries(tile, signal),
      onSettled: onChange,
      capacity: 90,
    });
    this.events = new TileCache<WaterEvents>({
      load: (tile, signal) => this.#loadEvents(tile, signal),
      onSettled: onChange,
      capacity: 60,
    });
    this.backtests = new BacktestFeed((request) => this.#loadBacktest(request), onChange);
  }

  get module(): ProbeModule | null {
    return this.#module;
  }

  get facts(): ProbeLevels | null {
    return this.#facts;
  }

  get suggestion(): ThresholdSuggestionBody | null {
    return this.#suggestion;
  }

  get failure(): unknown {
    return this.#failure ?? this.series.failure ?? this.events.failure ?? null;
  }

  /** Loads lines, alerts and the state again, after a write or a change elsewhere. */
  async loadFacts(): Promise<void> {
    const { moduleId, onChange } = this.#options;
    try {
      const [, state, alerts, moistureDrawings, tensionDrawings] = await Promise.all([
        this.#loadModule(),
        this.#read('get_agronomic_state', { moduleId }),
        readAllRows((page) => this.#read('list_alerts', { moduleId, isActive: true, ...page })),
        this.#read('list_annotations', { moduleId, limit: MAX_PAGE_ROWS }),
        this.#read('list_annotations', {
          moduleId,
          chartType: 'tensio',
          limit: MAX_PAGE_ROWS,
        }),
      ]);
      this.#facts = {
        state,
        alerts,
        annotations: [...moistureDrawings.data, ...tensionDrawings.data],
      };
      this.#failure = null;
    } catch (error) {
      this.#failure = error;
    }

    onChange();
  }

  /** It takes a moment, so it is not loaded before a line is pulled. */
  loadSuggestion(): void {
    if (this.#isSuggestionRequested) return;

    const { moduleId, onChange } = this.#options;
    this.#isSuggestionRequested = true;
    this.#read('suggest_thresholds', { moduleId }).then(
      (body) => {
        this.#suggestion = body;
        onChange();
      },
      // Nothing is suggested then, and the next pull loads it again.
      () => {
        this.#isSuggestionRequested = false;
      },
    );
  }

  /** Has everything that reaches past this instant loaded again, because there are new readings. */
  outdate(since: number): void {
    const isAffected = ({ end }: Period): boolean => end > since;
    this.series.outdate(isAffected);
    this.events.outdate(isAffected);
    this.backtests.clear();
  }

  async #loadModule(): Promise<ProbeModule> {
    const { moduleId } = this.#options;
    this.#module ??= await this.#read('get_module', { moduleId });
    return this.#module;
  }

  async #loadSeries(tile: Tile, signal: AbortSignal): Promise<SeriesTile> {
    const { moduleId, zone } = this.#options;
    const fields: CallFields<'get_moisture_series'> = {
      moduleId,
      ...isoPeriod(tile),
      interval: RESOLUTIONS[tile.resolution].intervalMs / 1000,
      align: 'local',
      depths: true,
      detail: 'concise',
    };
    const body = await this.#read('get_moisture_series', fields, signal);
    return toSeriesTile(body, tile, zone);
  }

  /** A tensiometer often has no watering of its own, so those of its parcel are read. */
  async #loadEvents(tile: Tile, signal: AbortSignal): Promise<WaterEvents> {
    const { category, parcelId } = await this.#loadModule();
    const { moduleId } = this.#options;
    const { start: from, end: to } = isoPeriod(tile);
    // Records of the days around decide what counts on a day.
    const rainPeriod = isoPeriod({
      start: tile.start - RAIN_MARGIN_MS,
      end: tile.end + RAIN_MARGIN_MS,
    });
    const target = category === 'TENSIOMETER' && parcelId !== null ? { parcelId } : { moduleId };

    const wateringFields = { ...target, from, to, detail: 'concise' } as const;
    const rainFields = { from: rainPeriod.start, to: rainPeriod.end };
    const [waterings, rain] = await Promise.all([
      readAllRows(async (page) =>
        withWitness(await this.#read('list_waterings', { ...wateringFields, ...page }, signal)),
      ),
      readAllRows((page) => this.#read('list_rain', { ...rainFields, ...page }, signal)),
    ]);

    return { waterings, rain };
  }

  #loadBacktest({ start, ...rule }: BacktestRequest): Promise<BacktestBody> {
    const { moduleId } = this.#options;
    return this.#read('backtest_alert', { moduleId, ...rule, start: toIso(start) });
  }

  async #read<Name extends OperationName>(
    operation: Name,
    fields: CallFields<Name>,
    signal?: AbortSignal,
  ): Promise<CallBody<Name>> {
    return (await this.#options.service.call(operation, fields, { signal })).body;
  }
}

const withWitness = ({ data, next_cursor, witness }: CallBody<'list_waterings'>) => {
  const seenBy = new Map(witness?.map((row) => [row.eventId, row.witness]));
  const rows = data.map((row) => {
    const kind = seenBy.get(row.id);
    return { ...row, isCounted: kind !== undefined, isAssumed: isUnseen(kind) };
  });
  return { data: rows, next_cursor };
};

const toIso = (at: number): string => new Date(at).toISOString();

const isoPeriod = ({ start, end }: Period) => ({ start: toIso(start), end: toIso(end) });
