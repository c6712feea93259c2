import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bodyOf,
  connectForFile,
  firstText,
  type McpSession,
  serverArguments,
} from '../../mcp-session.ts';
import { CLOCK, type Json } from '../../program.ts';
import { sharedRestService } from '../../rest-service.ts';
import { newBlock } from '../own-block.ts';
import { accept } from '../questions/form-session.ts';

const service = sharedRestService();

const CONNECTIONS: Readonly<Record<string, () => Promise<McpSession>>> = {
  'its own store': () => connect(serverArguments(service().db, { lang: 'en' })),
  'a remote service': async () =>
    connect(['--remote', service().base, '--clock', CLOCK], {
      ACEQUIA_API_KEY: await service().newKey(),
    }),
};

const connect = (args: readonly string[], env: Record<string, string> = {}): Promise<McpSession> =>
  connectForFile(args, { env, capabilities: { elicitation: {} } });

describe.each(Object.keys(CONNECTIONS))('a call on %s, cancelled while it asks', (where) => {
  let session: McpSession;
  beforeAll(async () => {
    session = await CONNECTIONS[where]!();
  });
  const call: McpSession['call'] = (name, args) => session.call(name, args);

  /** The person fills in the form all the same. */
  async function cancelAtQuestion(name: string, args: Json): Promise<unknown> {
    const controller = new AbortController();
    session.client.setRequestHandler(ElicitRequestSchema, () => {
      controller.abort();
      return accept({ flowMmPerH: 4, confirm: true });
    });
    return session.client
      .callTool({ name, arguments: args }, undefined, { signal: controller.signal })
      .catch((error: unknown) => error);
  }

  it('takes back the watering that it has logged', async () => {
    const { watering, probes } = await newBlock(call);
    const waterings = async (): Promise<Json[]> =>
      bodyOf(await call('list_waterings', { module: probes[1] })).data;
    const args = { ...watering, idempotencyKey: probes[1] };

    expect(await cancelAtQuestion('log_watering', args)).toBeInstanceOf(Error);
    await expect.poll(waterings).toEqual([]);
    const { data } = bodyOf(await call('list_changes', { limit: 2 }));
    expect(data.map(({ operation }: Json) => operation)).toEqual(['undo', 'log_watering']);

    session.client.removeRequestHandler('elicitation/create');
    const again = await call('log_watering', args);
    if (where === 'its own store') expect(await waterings()).toHaveLength(1);
    else expect(firstText(again)).toMatch(/undone since/);
    const setup = bodyOf(await call('get_irrigation_setup', { module: probes[1] }));
    expect(setup.installation.flowMmPerH).toBeNull();
  });

  it('deletes nothing', async () => {
    const { probes } = await newBlock(call, null);
    const line = { module: probes[0], type: 'h-line', unit: 'vwc', value: 14 };
    const { id: annotationId } = bodyOf(
      await call('create_annotation', { ...line, style: { fill: 'threshold2' } }),
    );
    expect(await cancelAtQuestion('delete_annotation', { annotationId })).toBeInstanceOf(Error);
    const { data } = bodyOf(
      await call('list_annotations', { module: probes[0], chartType: 'humidity' }),
    );
    expect(data).toMatchObject([{ id: annotationId }]);
  });
});
