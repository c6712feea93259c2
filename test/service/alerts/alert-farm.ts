import type {
  AlertStateBody,
  AlertWithRecipientsBody,
  ListedAlertBody,
} from '../../../src/schema/alerts/alert.ts';
import type { TestFarm, ToolCallOptions, ToolResult } from '../../farm.ts';
import { recordRows } from '../../store/stored-readings.ts';
import type { TestProbe } from '../moisture/probe-farm.ts';

export type ProbeReadings = readonly (readonly [sensor: number, at: number, value: number])[];

export const sendReadings = (
  farm: TestFarm,
  probe: TestProbe,
  readings: ProbeReadings,
): Promise<void> =>
  farm.write((db) =>
    recordRows(
      db,
      readings.map(([sensor, at, value]) => [probe.sensorIds[sensor]!, at, value]),
    ),
  );

export const sameValue = (probe: TestProbe, at: number, value: number): ProbeReadings =>
  probe.sensorIds.map((_, sensor) => [sensor, at, value] as const);

export async function sendAndEvaluate(
  farm: TestFarm,
  probe: TestProbe,
  at: number,
  value: number,
): Promise<void> {
  farm.now = at;
  await sendReadings(farm, probe, sameValue(probe, at, value));
  await farm.tick();
}

export const createOakAlert = (
  farm: TestFarm,
  fields: object = {},
  options?: ToolCallOptions,
): Promise<ToolResult<AlertWithRecipientsBody>> =>
  farm.tool('create_alert', { module: 'Oak', threshold: 20, ...fields }, options);

export const changeOakAlert = (
  farm: TestFarm,
  { id }: { id: string },
  fields: object,
): Promise<ToolResult<ListedAlertBody>> => farm.tool('update_alert', { alertId: id, ...fields });

export const listAlertsOf = (farm: TestFarm, args: Record<string, unknown> = {}) =>
  farm.tool<{ data: ListedAlertBody[]; next_cursor: string | null }>('list_alerts', args);

export const onlyAlertState = async (farm: TestFarm): Promise<AlertStateBody | null> =>
  (await listAlertsOf(farm)).data[0]!.state;

export const queuedMailKinds = (farm: TestFarm): Promise<string[]> =>
  farm.write(async (db) =>
    (await db.selectFrom('outbox').select('kind').orderBy('seq').execute()).map(({ kind }) => kind),
  );

export const recordedEpisodes = (farm: TestFarm) =>
  farm.write(async (db) =>
    (
      await db
        .selectFrom('alert_episodes')
        .select(['started_at', 'ended_at', 'lowest'])
        .orderBy('started_at')
        .execute()
    ).map(({ started_at, ended_at, lowest }) => [started_at, ended_at, lowest] as const),
  );
