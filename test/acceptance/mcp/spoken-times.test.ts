import { describe, expect, it } from 'vitest';
import { bodyOf, firstText, refusalOf } from '../mcp-session.ts';
import { sharedRestService } from '../rest-service.ts';
import { sharedConnection, TRIED_CONNECTIONS } from './eras/connections.ts';
import { newBlock } from './own-block.ts';

const service = sharedRestService();

// The service's clock says Wednesday 1 July 2026, noon in Paris.
describe.each(TRIED_CONNECTIONS)('a plan in words, over $transport in $revision', (kind) => {
  const { call } = sharedConnection(service, kind);
  const logged = (startedAt: string, module = 'North 1') =>
    call('log_watering', { module, startedAt, durationMin: 30, detail: 'full' });
  const scheduled = (startsOn: string, module = 'North 1') =>
    call('create_schedule', {
      module,
      freq: 'daily',
      startTimes: ['6:30'],
      durationMin: 30,
      startsOn,
    });

  it('takes "next Thursday" on a Wednesday for the one of next week', async () => {
    const { probes } = await newBlock(call);
    expect(bodyOf(await logged('next Thursday 6:30', probes[0])).event.startedAt).toBe(
      '2026-07-09T04:30:00.000Z',
    );
    expect(bodyOf(await scheduled('next Thursday', probes[1])).startsOn).toBe('2026-07-09');
  });

  it('takes the hour beside the first day as the start time, and never drops it', async () => {
    const { probes } = await newBlock(call);
    const daily = (module: string | undefined, args: Record<string, unknown>) =>
      call('create_schedule', { module, freq: 'daily', durationMin: 30, ...args });

    const alone = await daily(probes[0], { startsOn: 'next Thursday 6:30' });
    expect(bodyOf(alone)).toMatchObject({ startsOn: '2026-07-09', startTimes: ['06:30'] });

    const other = { startsOn: 'next Thursday 6:30', startTimes: ['07:00'] };
    expect(refusalOf(await daily(probes[1], other)).message).toBe(
      'The day was given with 06:30, which is not among the start times.',
    );
    const end = { startTimes: ['06:30'], endsOn: '30 September 8:00' };
    expect(refusalOf(await daily(probes[1], end)).message).toContain('leave the hour out');
  });

  it('takes ends of months, minutes in words and percentages as they are spoken', async () => {
    const { parcel, probes } = await newBlock(call);
    const schedule = await call('create_schedule', {
      module: probes[0],
      freq: 'daily',
      startTimes: ['6 am'],
      durationMin: 'trente-cinq',
      endsOn: 'fin mars',
    });
    expect(bodyOf(schedule)).toMatchObject({ durationMin: 35, endsOn: '2027-03-31' });

    const threshold = 'el 40 por ciento';
    const alert = await call('create_alert', { module: probes[0], threshold });
    expect(bodyOf(alert).threshold).toBe('40');

    const drip = { system: 'drip', emitterFlowLph: 'two point one litres per hour' };
    const setup = await call('set_module_installation', { module: probes[0], ...drip });
    expect(bodyOf(setup).installation.emitterFlowLph).toBe(2.1);

    const planted = await call('set_parcel', { name: parcel, plantedOn: 'February 2015' });
    expect(bodyOf(planted).parcel.season.plantedOn).toBe('2015-02-01');
    expect(firstText(planted)).toContain('planted or growing since 1 Feb 2015');
  });

  it('asks with both dates or both hours what could be either', async () => {
    for (const answer of [await logged('next Friday 6:30'), await scheduled('next Friday')])
      expect(refusalOf(answer).message).toContain('3 July 2026 or 10 July 2026: give the date');
    expect(refusalOf(await logged('next Thursday 4:30')).message).toContain('04:30 or 16:30');
  });
});
