import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterTest } from '../../cleanup.ts';
import { rowsOf } from '../../stores/stores.ts';
import type { Json } from '../program.ts';

interface RawConnection {
  readonly socket: Socket;
  readonly received: () => string;
  until(text: string): Promise<string>;
  readonly closed: Promise<string>;
}

export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  afterTest(() => socket.destroy());
  await once(socket, 'connect');
  return {
    socket,
    received: () => received,
    closed,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (received.includes(text)) resolve(received);
        };
        socket.on('data', look);
        socket.once('close', () =>
          reject(new Error(`Closed before ${JSON.stringify(text)} came: ${received}`)),
        );
        look();
      }),
  };
}

export const EVENTS_PATH = '/modules/1/irrigation/events';

export const nthWatering = (n: number) => ({
  startedAt: new Date(Date.UTC(2026, 3, 1) + n * 60_000).toISOString(),
  inputMode: 'duration',
  durationMin: 1 + (n % 200),
  note: `watering ${n}`,
});

export function rawLogRequest(
  body: object,
  key: string,
  headers: Record<string, string> = {},
): string {
  const text = JSON.stringify(body);
  const allHeaders = {
    Host: '127.0.0.1',
    'x-api-key': key,
    'Content-Type': 'application/json',
    ...headers,
  };
  const lines = Object.entries({ ...allHeaders, 'Content-Length': text.length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `POST /v1${EVENTS_PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
}

interface RawHttpResponse {
  readonly status: number;
  readonly body: Json;
}

interface KeepAliveConnection {
  /** Null if the connection closed without an answer; rejects if it closed within one. */
  ask(request: string): Promise<RawHttpResponse | null>;
}

export async function openKeepAlive(port: number): Promise<KeepAliveConnection> {
  const over = await openRawConnection(port);
  let read = 0;
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const answer = completeResponse(over.received().slice(read));
          if (!answer) return;
          over.socket.off('data', look);
          read += answer.length;
          resolve(answer);
        };
        over.socket.on('data', look);
        void over.closed.then((received) => {
          const rest = received.slice(read);
          if (rest === '') resolve(null);
          else if (!completeResponse(rest)) reject(new Error(`An answer was cut: ${rest}`));
        });
        over.socket.write(request);
      }),
  };
}

function completeResponse(text: string): (RawHttpResponse & { length: number }) | null {
  const [head = '', size] =
    /^HTTP\/1\.1 \d{3} [\s\S]*?\r\ncontent-length: (\d+)(?=\r\n)[\s\S]*?\r\n\r\n/i.exec(text) ?? [];
  if (size === undefined || text.length < head.length + Number(size)) return null;
  const length = head.length + Number(size);
  return {
    status: Number(head.slice(9, 12)),
    body: JSON.parse(text.slice(head.length, length)),
    length,
  };
}

export const countWaterings = async (db: string): Promise<number> =>
  (await rowsOf<{ n: number }>(db, 'select count(*) as n from waterings'))[0]!.n;
