import { describe, expect, it } from 'vitest';
import { sharedConnection, TRIED_CONNECTIONS } from '../mcp/eras/connections.ts';
import { newBlock } from '../mcp/own-block.ts';
import { bodyOf, firstText, refusalOf } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { sharedRestService } from '../rest-service.ts';

const service = sharedRestService();

describe.each(TRIED_CONNECTIONS)('a block that gets dry, over $transport in $revision', (kind) => {
  const { call } = sharedConnection(service, kind);
  const alertsOn = async (module: string): Promise<Json[]> =>
    bodyOf(await call('list_alerts', { module })).data;

  it('is watched by one alert for each of its probes, which one undo takes back', async () => {
    const { parcel, probes, ids } = await newBlock(call, null);
    const created = await call('create_alert', { parcel, threshold: 20 });
    expect(firstText(created)).toContain(`2 new alerts on ${parcel} (`);
    const { alerts, leftOut, changeId } = bodyOf(created);
    expect(alerts.map(({ moduleId }: Json) => moduleId)).toEqual(ids);
    expect(leftOut).toEqual([]);
    for (const [index, probe] of probes.entries())
      expect(await alertsOn(probe)).toMatchObject([{ id: alerts[index].id, threshold: '20' }]);
    bodyOf(await call('undo', { changeId }));
    for (const probe of probes) expect(await alertsOn(probe)).toEqual([]);
  });

  it('is not watched by an alert of nothing: without a probe or parcel the probes are named', async () => {
    expect(refusalOf(await call('create_alert', { threshold: 20 }))).toMatchObject({
      field: 'module',
      message: expect.stringContaining('"North 1" (#1)'),
    });
  });
});
