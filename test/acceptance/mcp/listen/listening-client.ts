import {
  Client,
  type McpSubscription,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterTest } from '../../../cleanup.ts';
import { FIRING } from '../../../mcp/listen-request.ts';
import { iso, MINUTE } from '../../../time.ts';
import { BINARY, CLOCK, cleanEnv, type Json } from '../../program.ts';
import type { RestService } from '../../rest-service.ts';
import { mcpUrl } from '../http/mcp-http-client.ts';

export interface ListeningClient {
  readonly client: Client;
  readonly updates: string[];
  listen(...uris: string[]): Promise<McpSubscription>;
  firingAlerts(): Promise<Json[]>;
}

const REVISION_2026 = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

async function connect(transport: Parameters<Client['connect']>[0]): Promise<ListeningClient> {
  const client = new Client({ name: 'listener', version: '1' }, REVISION_2026);
  await client.connect(transport);
  afterTest(() => client.close());
  const updates: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void updates.push(params.uri),
  );
  return {
    client,
    updates,
    listen: (...uris) => client.listen({ resourceSubscriptions: uris }),
    async firingAlerts() {
      const [content] = (await client.readResource({ uri: FIRING })).contents;
      return JSON.parse((content as { text: string }).text).data;
    },
  };
}

export const connectListener = ({ base }: RestService, key: string): Promise<ListeningClient> =>
  connect(
    new StreamableHTTPClientTransport(mcpUrl(base), {
      requestInit: { headers: { 'x-api-key': key } },
    }),
  );

export const connectStdioListener = (
  db: string,
  env: Record<string, string> = {},
): Promise<ListeningClient> =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, '--db', db, '--clock', CLOCK],
      stderr: 'ignore',
      env: { ...cleanEnv, ...env },
    }),
  );

export interface WatchedProbe {
  readonly alertId: string;
  sendDry(): Promise<void>;
  sendMoist(): Promise<void>;
}

/** An alert at 20 % on a probe of the company of the key, which must have a user. */
export async function watchProbe(
  service: RestService,
  key: string,
  uid = 'A1',
): Promise<WatchedProbe> {
  let minutesAgo = 600;
  const send = async (value: number): Promise<void> => {
    minutesAgo -= 15;
    const time = iso(Date.parse(CLOCK) - minutesAgo * MINUTE);
    const readings = [10, 20, 30].map((depth) => ({
      module: uid,
      type: 'humidity',
      depth,
      time,
      value,
    }));
    const { status, body } = await service.request('POST', '/ingest', { key, body: { readings } });
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  await send(30);
  const modules = await service.request('GET', '/modules', { key });
  const { id: moduleId } = modules.body.data.find((each: Json) => each.uid === uid);
  const alert = { moduleId, threshold: 20, hysteresis: 2, reminderTime: '08:00:00' };
  const created = await service.request('POST', '/alerts', { key, body: alert });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  return { alertId: created.body.id, sendDry: () => send(12), sendMoist: () => send(35) };
}
