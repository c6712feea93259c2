import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../program.ts';
import { type RestService, serveStoreForTest } from '../rest-service.ts';

/** Serving processes on one store. One that was killed is started anew, as often as it takes. */
export interface ServerProcesses {
  /** Where one of them serves just now: the first that stands, from the n-th on; null while none does. */
  port(n: number): number | null;
  /** Kills one with what it is doing, at once: the first that stands, from the n-th on. Resolves when it serves again. */
  kill(n: number): Promise<void>;
}

export async function startServerProcesses(db: string, count: number): Promise<ServerProcesses> {
  const start = (): Promise<RestService> => serveStoreForTest(db, '--lang', 'en', '--rate-limit', '0');
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
      // Its store may be away just now, and then it ends again.
      while (running[at] === null) running[at] = await start().catch(() => null);
    },
  };
}

/** A request, told apart from others by its key where it writes. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Behind /v1. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: Json;
}

/** What a client met with until it had its answers. */
export interface ClientCounts {
  answered: number;
  /** Connections that were refused, or ended before the answer was whole. */
  cut: number;
  /** Answers with 503, which say that the store is away. */
  unavailable: number;
}

/** A client with one connection, which asks the next machine while its own, the n-th, is gone. */
export function retryingClient(
  machines: ServerProcesses,
  apiKey: string,
  { n, met }: { n: number; met: ClientCounts },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let isClosed = false;
  return {
    /** Asks until it is answered, each time in the same words and under the same key. Throws once it was closed. */
    async ask(asked: ApiRequest): Promise<ApiResponse> {
      for (let machine = n; !isClosed; machine++) {
        const port = machines.port(machine);
        const answer = port === null ? null : await sendOver(agent, { port, apiKey, ...asked }).catch(() => null);
        if (answer !== null && answer.status !== 503) {
          met.answered++;
          return answer;
        }
        if (answer !== null) met.unavailable++;
        else if (port !== null) met.cut++;
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
  { port, apiKey, method, path, body, idempotencyKey }: ApiRequest & { port: number; apiKey: string },
): Promise<ApiResponse> {
  const headers = {
    'x-api-key': apiKey,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  return new Promise((resolve, reject) => {
    const asking = request({ agent, host: '127.0.0.1', port, method, path: `/v1${path}`, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      incoming.once('error', reject).once('end', () => {
        if (incoming.complete) resolve({ status: incoming.statusCode!, body: JSON.parse(text) });
        else reject(new Error('An answer was cut'));
      });
    });
    asking.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
