import { describe, expect, it } from 'vitest';
import { bodyOf, refusalOf } from '../mcp-session.ts';
import { sharedRestService } from '../rest-service.ts';
import { CONNECTION_KINDS, sharedConnection } from './eras/connections.ts';
import { newBlock } from './own-block.ts';

const service = sharedRestService();

// The service's clock says Wednesday 1 July 2026, noon in Paris.
describe.each(CONNECTION_KINDS)('a plan in words, over $transport in $revision', (kind) => {
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

  it('asks with both dates or both hours what could be either', async () => {
    for (const answer of [await logged('next Friday 6:30'), await scheduled('next Friday')])
      expect(refusalOf(answer).message).toContain('3 July 2026 or 10 July 2026: give the date');
    expect(refusalOf(await logged('next Thursday 4:30')).message).toContain('04:30 or 16:30');
  });
});
