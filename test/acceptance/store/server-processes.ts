import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../program.ts';
import { type RestService, serveStoreForTest } from '../rest-service.ts';

export interface ServerProcesses {
  port(n: number): number | null;
  kill(n: number): Promise<void>;
}

export async function startServerProcesses(db: string, count: number): Promise<ServerProcesses> {
  const start = (): Promise<RestService> => serveStoreForTest(db, '--rate-limit', '0');
  const running: (RestService | null)[] = await Promise.all(Array.from({ length: count }, start));
  return {
    port(n) {
      for (let step = 0; step < count; step++) {
        const service = running[(n + step) % count];
        if (service) return service.port;
      }
      return null;
    },
    async kill(n) {
      const order = running.map((_, step) => (n + step) % count);
      const at = order.find((each) => running[each] !== null);
      if (at === undefined) return;
      const service = running[at]!;
      running[at] = null;
      service.child.kill('SIGKILL');
      await service.ended;
      // The store may be away, and then the process ends again.
      while (running[at] === null) running[at] = await start().catch(() => null);
    },
  };
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: Json;
}

export interface ClientCounts {
  answered: number;
  cut: number;
  unavailable: number;
}

/** Too many at once, or a store that cannot be reached: nothing was done. */
const REFUSALS = [429, 503];

export function retryingClient(
  machines: ServerProcesses,
  apiKey: string,
  { n, counts }: { n: number; counts: ClientCounts },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isClosed = false;
  return {
    /** Retries with the same idempotency key until there is an answer that refuses nothing. */
    async ask(call: ApiRequest): Promise<ApiResponse> {
      for (let machine = n; !isClosed; machine++) {
        const port = machines.port(machine);
        const answer =
          port === null ? null : await sendOver(agent, { port, apiKey, ...call }).catch(() => null);
        if (answer !== null && !REFUSALS.includes(answer.status)) {
          counts.answered++;
          return answer;
        }
        if (answer !== null) counts.unavailable++;
        else if (port !== null) counts.cut++;
        await pause(50 + Math.random() * 100);
      }
      throw new Error('The client was closed');
    },
    close: () => {
      isClosed = true;
      agent.destroy();
    },
  };
}

function sendOver(
  agent: Agent,
  {
    port,
    apiKey,
    method,
    path,
    body,
    idempotencyKey,
  }: ApiRequest & { port: number; apiKey: string },
): Promise<ApiResponse> {
  const headers = {
    'x-api-key': apiKey,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  };
  return new Promise((resolve, reject) => {
    const asking = request(
      { agent, host: '127.0.0.1', port, method, path: `/v1${path}`, headers },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        incoming.once('error', reject).once('end', () => {
          if (incoming.complete) resolve({ status: incoming.statusCode!, body: JSON.parse(text) });
          else reject(new Error('An answer was cut'));
        });
      },
    );
    asking.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
