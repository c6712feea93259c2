import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../stores/stores.ts';
import { sharedRestService } from '../rest-service.ts';
import { EVENTS_PATH } from './raw-requests.ts';

const service = sharedRestService('--log-level', 'info');
let key: string;
beforeAll(async () => {
  key = await service().newKey();
});

/** Sends a complete request, and closes the connection at once. */
function postAndHangUp(path: string, body: string | Buffer, headers: readonly string[] = []): void {
  const head = [
    `POST /v1${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `X-Api-Key: ${key}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect(service().port, '127.0.0.1', () => {
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    socket.end(() => socket.destroy());
  });
  socket.on('error', () => undefined);
}

const JSON_TYPE = 'Content-Type: application/json';

const CLIENTS = 30;

/** A watering of its own for each client. */
const watering = (client: number) => ({
  startedAt: new Date(Date.UTC(2026, 4, 1 + client)).toISOString(),
  inputMode: 'duration',
  durationMin: 45,
  note: 'hung up',
});

const READINGS = 200;

/** A body of some 16 kB, with readings of its own for each client. */
function batch(client: number): string {
  const readings = Array.from({ length: READINGS }, (_, minute) => ({
    module: 'A1',
    type: 'humidity',
    depth: 10,
    value: 20,
    time: new Date(Date.UTC(2026, 1, 1 + client, 0, minute)).toISOString(),
  }));
  return JSON.stringify({ readings });
}

describe('clients that hang up after their bodies', () => {
  it('have their waterings stored', async () => {
    for (let client = 0; client < CLIENTS; client++)
      postAndHangUp(EVENTS_PATH, JSON.stringify(watering(client)), [JSON_TYPE]);
    await expect
      .poll(() => rowsOf(service().db, "select id from waterings where note = 'hung up'"))
      .toHaveLength(CLIENTS);
  });

  it('have their batches stored, compressed or not', async () => {
    for (let client = 0; client < CLIENTS; client += 2) {
      postAndHangUp('/ingest', batch(client), [JSON_TYPE]);
      const gzip = [JSON_TYPE, 'Content-Encoding: gzip'];
      postAndHangUp('/ingest', gzipSync(batch(client + 1)), gzip);
    }
    await expect
      .poll(() => rowsOf(service().db, 'select * from readings'))
      .toHaveLength(CLIENTS * READINGS);
  });
});
