import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reaction = (response: ServerResponse, request: StubRequest) => unknown;

export interface StubService {
  readonly url: string;
  readonly requests: readonly StubRequest[];
  requestsTo(path: string): StubRequest[];
  /** Each reaction is used once, the last one from then on. */
  on(endpoint: string, ...reactions: Reaction[]): void;
  close(): Promise<void>;
}

export const jsonReaction =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reaction =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

export const textReaction =
  (body: string, status = 200, type = 'text/html'): Reaction =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);

export const resetConnection: Reaction = (response) =>
  (response.socket as Socket).resetAndDestroy();

export const neverAnswers: Reaction = () => undefined;

export const endlessBody =
  (piece: string): Reaction =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(piece), 20);
    response.once('close', () => clearInterval(timer));
  };

export const STUB_COMPANY = {
  id: 1,
  name: 'Mas Rouge',
  legalName: null,
  countryCode: 'FR',
  currency: 'EUR',
  city: null,
  postalCode: null,
  region: null,
  timezone: 'Europe/Paris',
};

const moduleRow = (id: number, name: string, parcelId: number) => ({
  id,
  uid: `U${id}`,
  name,
  serialHex: null,
  category: 'SOIL_PROBE',
  location: null,
  parcelId,
  sensors: [],
  gateway: null,
});

export const STUB_MODULES = {
  data: [moduleRow(1, 'North 1', 1), moduleRow(2, 'North 2', 1)],
  next_cursor: null,
};
export const STUB_PARCELS = {
  data: [{ id: 1, name: 'North block', type: null }],
  next_cursor: null,
};

export const STUB_EVENT = {
  id: 77,
  moduleId: 1,
  scheduleId: null,
  isDetached: false,
  startedAt: '2026-07-01T04:00:00.000Z',
  durationMin: 40,
  endedAt: '2026-07-01T04:40:00.000Z',
  inputMode: 'duration',
  inputDepthMm: null,
  inputVolumeM3: null,
  waterMm: null,
  waterMmWetted: null,
  configSnapshot: null,
  status: 'done',
  source: 'api',
  verifiedAt: null,
  note: null,
  createdAt: '2026-07-01T10:00:00.000Z',
};
export const STUB_LOGGED = { event: STUB_EVENT, warnings: [] };

/** Listens on a free port, or on that of an earlier stub's address. */
export async function startStubService(at?: string): Promise<StubService> {
  const requests: StubRequest[] = [];
  const reactions = new Map<string, Reaction[]>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const each: StubRequest = {
        method,
        path: url,
        headers,
        body: Buffer.concat(chunks).toString(),
      };
      requests.push(each);
      const queued = reactions.get(`${method} ${url.split('?')[0]}`) ?? [
        jsonReaction({ code: 'not_found' }, 404),
      ];
      (queued.length > 1 ? queued.shift()! : queued[0]!)(response, each);
    });
  });
  server.listen(at === undefined ? 0 : Number(new URL(at).port), '127.0.0.1');
  await once(server, 'listening');
  const stub: StubService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    requestsTo: (path) => requests.filter((each) => each.path.split('?')[0] === path),
    on: (endpoint, ...queued) => void reactions.set(endpoint, queued),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  stub.on('GET /v1/company', jsonReaction(STUB_COMPANY));
  stub.on('GET /v1/modules', jsonReaction(STUB_MODULES));
  stub.on('GET /v1/parcels', jsonReaction(STUB_PARCELS));
  stub.on('POST /v1/modules/1/irrigation/events', jsonReaction(STUB_LOGGED, 201));
  return stub;
}
