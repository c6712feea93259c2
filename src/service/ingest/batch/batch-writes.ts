import { setTimeout as pause } from 'node:timers/promises';
import { chunksOf } from '../../../domain/groups.ts';
import type { LastStage, StagedCall } from '../../../operation/call.ts';
import type { CompanyDb } from '../../../store/tables.ts';
import {
  type StationReading,
  saveStationReadings,
} from '../../../store/weather/station-readings.ts';
import type { BatchPace } from './batch-context.ts';
import { type GatewayCounts, type StatusReports, writeGatewayStatuses } from './gateway-items.ts';
import { type GaugeRain, type RainCounts, writeGaugeRain } from './gauge-rain.ts';
import {
  type ReadingBuffer,
  type ReadingCounts,
  type ReadingPart,
  type WritingBatch,
  writeReadings,
} from './reading-buffer.ts';

/** Rows of other kinds than readings of probes in one transaction, which takes well under 100 ms. */
export const ROWS_PER_STAGE = 500;

/** What a batch writes, by kind. */
export interface BatchRows {
  readonly readings: ReadingBuffer;
  readonly rain: readonly GaugeRain[];
  readonly weather: readonly StationReading[];
  readonly gateways: StatusReports;
}

/** Writes all stages but the last, which it returns. */
export async function writeInStages(
  { write, now }: Pick<StagedCall, 'write' | 'now'>,
  content: BatchRows,
  pace: BatchPace,
): Promise<LastStage<StageCounts>> {
  const stages = stagesOf(content, pace.steps.readings);
  const batch = { readings: content.readings, now };
  const counts: StageCounts[] = [];
  let stage = stages.next().value ?? EMPTY_STAGE;
  const letOthersWrite = pauseBetweenStages(pace);

  for (const nextStage of stages) {
    counts.push(await write((db) => writeStage(db, stage, batch)));
    stage = nextStage;
    await letOthersWrite();
  }

  return async (db) => [...counts, await writeStage(db, stage, batch)].reduce(addCounts);
}

/** Returns a function that lets others write, to be called after each stage but the last. */
export function pauseBetweenStages({ slice, steps }: BatchPace): () => Promise<void> {
  let pausedAt = performance.now();
  return async () => {
    if (steps.pause === null || performance.now() - pausedAt < steps.pause.afterMs)
      return slice.renew();

    await pause(steps.pause.ms);
    pausedAt = performance.now();
  };
}

interface Stage {
  readonly readings: ReadingPart;
  readonly rain: readonly GaugeRain[];
  readonly weather: readonly StationReading[];
  readonly gateways: StatusReports;
}

const EMPTY_STAGE: Stage = { readings: new Map(), rain: [], weather: [], gateways: new Map() };

/** Each stage has a part of every kind that is not exhausted. */
function* stagesOf(
  { readings, rain, weather, gateways }: BatchRows,
  readingsPerStage: number,
): Generator<Stage, void> {
  const readingParts = readings.parts(readingsPerStage);
  const rainParts = chunksOf(rain, ROWS_PER_STAGE).values();
  const weatherParts = chunksOf(weather, ROWS_PER_STAGE).values();
  const gatewayParts = chunksOf([...gateways], ROWS_PER_STAGE).values();

  for (;;) {
    const [readingPart, rainPart] = [readingParts.next(), rainParts.next()];
    const [weatherPart, gatewayPart] = [weatherParts.next(), gatewayParts.next()];
    if (readingPart.done && rainPart.done && weatherPart.done && gatewayPart.done) return;

    yield {
      readings: readingPart.value ?? EMPTY_STAGE.readings,
      rain: rainPart.value ?? EMPTY_STAGE.rain,
      weather: weatherPart.value ?? EMPTY_STAGE.weather,
      gateways: new Map(gatewayPart.value ?? []),
    };
  }
}

export interface StageCounts {
  readonly readings: ReadingCounts;
  readonly rain: RainCounts;
  readonly gateways: GatewayCounts;
}

async function writeStage(db: CompanyDb, stage: Stage, batch: WritingBatch): Promise<StageCounts> {
  await saveStationReadings(db, stage.weather);
  return {
    readings: await writeReadings(db, stage.readings, batch),
    rain: await writeGaugeRain(db, stage.rain),
    gateways: await writeGatewayStatuses(db, stage.gateways),
  };
}

const addCounts = (a: StageCounts, b: StageCounts): StageCounts => ({
  readings: {
    written: a.readings.written + b.readings.written,
    changed: a.readings.changed + b.readings.changed,
    unchanged: a.readings.unchanged + b.readings.unchanged,
  },
  rain: {
    written: a.rain.written + b.rain.written,
    changed: a.rain.changed + b.rain.changed,
    unchanged: a.rain.unchanged + b.rain.unchanged,
    staleTotals: a.rain.staleTotals + b.rain.staleTotals,
  },
  gateways: {
    changed: a.gateways.changed + b.gateways.changed,
    unchanged: a.gateways.unchanged + b.gateways.unchanged,
  },
});
