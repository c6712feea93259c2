import type { ParcelWateringAnswer } from '../../../src/schema/irrigation/watering.ts';
import { DAY, FARM_NOW, HOUR, iso, minutesAt, type TestFarm } from '../../farm.ts';
import type { FarmRows } from '../../operation-calls.ts';
import { installProbe } from '../moisture/probe-farm.ts';

const AT = Date.UTC(2026, 5, 20);
const depthLine = { fill: 'threshold2' };

/** Adds at least one row of every kind, which the calls of every operation refer to. */
export async function furnish(farm: TestFarm): Promise<FarmRows> {
  const module = farm.idOf('North 1');
  const parcel = farm.idOf('North block');
  await installProbe(farm, { name: 'Damp', parcel: 'North block' });
  await farm.wire('set_parcel_installation', { parcelId: parcel, system: 'drip', flowMmPerH: 2 });
  const declared = await farm.declare('North 1', {
    system: 'drip',
    flowMmPerH: 3,
    effectiveFrom: '2026-03-20T06:00',
  });
  await farm.wire('set_soil_profile', {
    parcelId: parcel,
    layers: [{ soilHorizonId: 5, depthTopCm: 0, depthBottomCm: 30 }],
  });
  const { event } = await farm.log('North 1', minutesAt(FARM_NOW - 2 * DAY, 30));
  await farm.log('North 2', {
    startedAt: iso(FARM_NOW - DAY),
    inputMode: 'volume_m3',
    inputVolumeM3: 3,
  });
  const { ofParcel } = await farm.tool<ParcelWateringAnswer>('log_watering', {
    parcel: 'Fallow',
    ...minutesAt(FARM_NOW - 2 * DAY, 30),
  });
  const { rain } = await farm.wire<{ rain: { id: number } }>('log_rain', {
    mm: 7,
    when: '2026-06-28',
  });
  const schedule = await farm.createSchedule({ parcel: 'North block', label: 'Mornings' });
  const line = await farm.wire<{ id: string }>('create_annotation', {
    moduleId: module,
    type: 'h-line',
    p1: [AT, 14],
    p2: [AT + DAY, 14],
    unit: 'vwc',
    style: depthLine,
  });
  const note = await farm.wire<{ id: string }>('create_annotation', {
    moduleId: module,
    type: 'text',
    p1: [AT, 30],
    text: 'leak',
  });
  const alert = await farm.wire<{ id: string }>('create_alert', {
    moduleId: module,
    threshold: 20,
  });
  farm.now += HOUR;
  return {
    module,
    parcel,
    event: event.id,
    parcelEvent: ofParcel!.event.id,
    schedule: schedule.id,
    rain: rain.id,
    version: declared.installation!.id,
    line: line.id,
    alert: alert.id,
    notes: [note.id],
    marker: 'Marked',
    depthMm: 9,
    moisture: 21,
    height: 12,
    imei: '35693803564380',
  };
}

/** REST adds the company's offset to a local time before it validates. */
export const withOffset = (input: object) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(String(value)) ? `${value}:00+02:00` : value,
    ]),
  );
