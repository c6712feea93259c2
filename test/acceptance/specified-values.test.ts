import { beforeAll, describe, expect, it } from 'vitest';
import { operationsByName } from '../../tools/index.ts';
import { importBaseFarm } from '../base-farm.ts';
import { createTestKey } from './rest-service.ts';
import {
  type CallOperation,
  type CallResult,
  remoteToolSurface,
  restSurface,
  serveStore,
  storeForFile,
  toolSurface,
} from './test-surfaces.ts';

const DRIP = { system: 'drip', emitterFlowLph: 1.6, emittersPerM2: 2 };
const DAILY = {
  targetModuleId: 1,
  freq: 'daily',
  startTimes: ['05:30'],
  startsOn: '2026-07-02',
  inputMode: 'duration',
  durationMin: 20,
};

const surfaces = new Map<string, CallOperation>();

beforeAll(async () => {
  const first = await storeForFile();
  await importBaseFarm(first);
  const { key } = await createTestKey(first);
  const copy = () => storeForFile(first);
  const remote = await serveStore(await copy());

  surfaces.set('the tool', await toolSurface(await copy()));
  surfaces.set('REST', restSurface(await serveStore(await copy()), key));
  surfaces.set('--remote', await remoteToolSurface(remote, key));
});

/** Nothing that one call does may depend on another, because each runs on one farm. */
describe.each(['the tool', 'REST', '--remote'])('by %s', (surface) => {
  const call = (name: string, fields: Record<string, unknown>): Promise<CallResult> =>
    surfaces.get(surface)!(operationsByName.get(name)!, fields);
  const accepted = async (name: string, fields: Record<string, unknown>) => {
    const { body, refusal } = await call(name, fields);
    expect(refusal).toBeUndefined();
    return body!;
  };

  it('a wetted fraction is any share above 0', async () => {
    const declared = { moduleId: 2, ...DRIP, fractionWetted: 0.004, flowMmPerH: -5 };
    const { installation } = await accepted('set_module_installation', declared);
    expect(installation).toMatchObject({ fractionWetted: 0.004, flowMmPerH: 3.2 });
    const { refusal } = await call('set_module_installation', { ...declared, fractionWetted: 0 });
    expect(refusal).toMatchObject({ code: 'INVALID_FRACTION_WETTED', status: 400 });
  });

  it('a schedule takes a zone of a fixed offset, and no name of UTC', async () => {
    const schedule = await accepted('create_schedule', { ...DAILY, timezone: 'Etc/GMT-2' });
    expect(schedule.timezone).toBe('Etc/GMT-2');
    const { refusal } = await call('create_schedule', { ...DAILY, timezone: 'Etc/GMT' });
    expect(refusal).toMatchObject({ code: 'INVALID_TIMEZONE', status: 400 });
  });

  it('a threshold between 0 and 1 is exact for a program, and asked of a person', async () => {
    const { body, refusal } = await call('create_alert', { moduleId: 1, threshold: 0.5 });
    if (surface === 'REST') expect(body).toMatchObject({ threshold: '0.5' });
    else expect(refusal?.message).toContain('it could be 0.5 % or 50 %');
  });

  it('a change of equipment keeps what it does not mention, except over REST', async () => {
    const parcelId = 1;
    const lines = { ...DRIP, irrigatedAreaM2: 500, effectiveFrom: '2026-06-01' };
    await accepted('set_parcel_installation', { parcelId, ...lines });
    const emitters = { system: 'drip', emitterFlowLph: 4, effectiveFrom: '2026-06-30' };
    await accepted('set_parcel_installation', { parcelId, ...emitters });
    const { installation } = await accepted('get_parcel_irrigation_setup', { parcelId });
    expect(installation).toMatchObject(
      surface === 'REST'
        ? { flowMmPerH: null, irrigatedAreaM2: null }
        : { flowMmPerH: 8, irrigatedAreaM2: 500 },
    );
  });
});

it('the end of a watering may be null over REST, in a new one as in a change', async () => {
  const rest = surfaces.get('REST')!;
  const watering = { startedAt: '2026-07-01T06:00', inputMode: 'duration', endedAt: null };
  const log = operationsByName.get('log_watering')!;
  const { body } = await rest(log, { moduleId: 1, ...watering, durationMin: 30 });
  const correct = operationsByName.get('correct_watering')!;
  const corrected = await rest(correct, { eventId: body!.event.id, ...watering });
  expect(corrected.body).toMatchObject({ event: { durationMin: 30 } });
});
