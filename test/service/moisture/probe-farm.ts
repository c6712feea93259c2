import type { MeasurementType } from '../../../src/domain/moisture/measurement.ts';
import type { Category } from '../../../src/schema/company/company.ts';
import { changeSettingsOf } from '../../../src/service/moisture/probe-settings.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { bareModule, DAY, type TestFarm } from '../../farm.ts';
import { recordRows } from '../../store/stored-readings.ts';

export interface TestProbe {
  readonly id: number;
  readonly sensorIds: readonly number[];
  /** Readings as [instant in ms, value]. */
  record(
    sensor: number,
    readings: readonly (readonly [at: number, value: number])[],
  ): Promise<void>;
  recordAll(instants: readonly number[], value: number): Promise<void>;
}

interface ProbePlan {
  readonly name?: string;
  readonly sensors?: readonly (readonly [type: MeasurementType, depth: number | null])[];
  readonly parcel?: string;
  readonly category?: Category;
  readonly rootDepthCm?: number;
  readonly depthWeights?: Record<string, number>;
  readonly commissioned?: boolean;
}

export const moistureSensorsAt = (...depths: number[]) =>
  depths.map((depth) => ['humidity', depth] as const);

export async function installProbe(farm: TestFarm, plan: ProbePlan = {}): Promise<TestProbe> {
  const {
    name = 'Oak',
    sensors = moistureSensorsAt(10, 20, 30),
    parcel,
    category = 'SOIL_PROBE',
    commissioned = true,
  } = plan;
  return farm.write(async (db) => {
    const id = await insertFarmRow(
      db,
      'modules',
      bareModule({
        uid: name,
        name,
        category,
        parcel_id: parcel === undefined ? null : farm.idOf(parcel),
        commissioned_at: commissioned ? 0 : null,
      }),
    );
    const { rootDepthCm, depthWeights } = plan;
    await changeSettingsOf({ db, now: 0 }, { moduleId: id }, { rootDepthCm, depthWeights });
    const sensorIds: number[] = [];
    for (const [type, depth] of sensors)
      sensorIds.push(
        await insertFarmRow(db, 'sensors', { module_id: id, type, depth, label: null }),
      );
    const record = (sensor: number, readings: readonly (readonly [number, number])[]) =>
      farm.write((own) =>
        recordRows(
          own,
          readings.map(([at, value]) => [sensorIds[sensor]!, at, value]),
        ),
      );
    return {
      id,
      sensorIds,
      record,
      async recordAll(instants, value) {
        for (const sensor of sensorIds.keys())
          await record(
            sensor,
            instants.map((at) => [at, value]),
          );
      },
    };
  });
}

export const instantsEvery = (step: number, from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);

export const declareSoil = (
  farm: TestFarm,
  parcel: string,
  layers: readonly [id: number, top: number, bottom: number][],
) =>
  farm.tool('set_soil_profile', {
    parcel,
    layers: layers.map(([soilHorizonId, depthTopCm, depthBottomCm]) => ({
      soilHorizonId,
      depthTopCm,
      depthBottomCm,
    })),
  });

export const startOfUtcDay = (at: number): number => Math.floor(at / DAY) * DAY;
