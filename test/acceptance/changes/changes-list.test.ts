import { describe, expect, it } from 'vitest';
import { sharedConnection, TRIED_CONNECTIONS } from '../mcp/eras/connections.ts';
import { newBlock } from '../mcp/own-block.ts';
import { bodyOf, firstText } from '../mcp-session.ts';
import type { Json } from '../program.ts';
import { sharedRestService } from '../rest-service.ts';

const service = sharedRestService();

describe.each(TRIED_CONNECTIONS)('what was changed, over $transport in $revision', (kind) => {
  const connection = sharedConnection(service, kind);
  const { call } = connection;

  it('names a change by a number in answers, in the list and in what undo takes', async () => {
    const { probes } = await newBlock(call);
    const { changeId } = bodyOf(await call('set_module', { name: probes[0], number: 7 }));
    expect(changeId).toEqual(expect.any(Number));
    const ids = bodyOf(await call('list_changes', { module: probes[0] })).data.map(
      ({ id }: Json) => id,
    );
    expect(ids).toContain(changeId);
    const { tools } = await connection.client.listTools();
    const undo = tools.find(({ name }) => name === 'undo')!;
    expect(undo.inputSchema.properties).toMatchObject({ changeId: { type: 'integer' } });
    expect(bodyOf(await call('undo', { changeId })).undone.id).toBe(changeId);
  });

  it('is listed for a day or a period', async () => {
    const { probes } = await newBlock(call);
    const listed = async (period: Json): Promise<Json[]> =>
      bodyOf(await call('list_changes', { module: probes[0], ...period })).data;
    expect((await listed({ from: 'today', to: 'today' })).length).toBeGreaterThan(0);
    expect(await listed({ to: 'yesterday' })).toEqual([]);
    expect(await listed({ from: 'tomorrow' })).toEqual([]);
  });

  it('includes alerts, whose recipients are named in the list of alerts', async () => {
    const { probes } = await newBlock(call);
    bodyOf(await call('create_alert', { module: probes[0], threshold: 20 }));
    const answer = await call('list_alerts', { module: probes[0] });
    expect(firstText(answer)).toContain('Mail is addressed to Ana.');
    expect(bodyOf(answer).data[0].recipients).toMatchObject([{ userName: 'Ana' }]);
  });
});
