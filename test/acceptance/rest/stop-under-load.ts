import { expect, it } from 'vitest';
import { afterTest } from '../../cleanup.ts';
import { FIRING, listenRequest } from '../../mcp/listen-request.ts';
import { mcpUrl } from '../mcp/http/mcp-http-client.ts';
import { newLink, signInTo } from '../page/signed-in.ts';
import { withoutHeldLoop } from '../program.ts';
import { type RestService, startRestService } from '../rest-service.ts';
import { EVENTS_PATH, nthWatering } from './raw-requests.ts';

const PAGE_STREAMS = 16;
const LISTENING_KEYS = 2;
const STREAMS_OF_KEY = 15;

/** Reads a response until its end; a stream that is cut does not fail. */
async function follow(response: Response): Promise<void> {
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  const readOn = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  void readOn().catch(() => undefined);
}

async function openPageStreams(service: RestService, signal: AbortSignal): Promise<void> {
  const { cookie } = await signInTo(service, await newLink(service));
  const headers = { cookie, 'acequia-page': '1' };
  const open = () => fetch(new URL('/page/events', service.base), { headers, signal });
  await Promise.all(Array.from({ length: PAGE_STREAMS }, async () => follow(await open())));
}

async function openListenStreams(service: RestService, signal: AbortSignal): Promise<void> {
  const { headers, body } = listenRequest(FIRING);
  for (let count = 0; count < LISTENING_KEYS; count++) {
    const keyed = { ...headers, 'x-api-key': await service.newKey() };
    const open = () =>
      fetch(mcpUrl(service.base), { method: 'POST', headers: keyed, body, signal });
    await Promise.all(Array.from({ length: STREAMS_OF_KEY }, async () => follow(await open())));
  }
}

/** Each loop sends one request after the other until the service answers no more. */
async function keepBusy(service: RestService, onAnswer: () => void): Promise<void> {
  const writer = await service.newKey();
  let next = 0;
  const write = () =>
    service.request('POST', EVENTS_PATH, { key: writer, body: nthWatering(next++) });
  const readers = await Promise.all(Array.from({ length: 3 }, () => service.newKey()));
  const reads = readers.flatMap((key) =>
    ['/overview', '/brief'].map((path) => () => service.request('GET', path, { key })),
  );
  const loop = async (request: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      if ((await request().catch(() => null)) === null) return;
      onAnswer();
    }
  };
  await Promise.all([write, write, ...reads].map(loop));
}

/**
 * Phones whose connection breaks: the service still works on what they asked, and nobody waits for
 * the answers.
 */
async function sendAndLeave(service: RestService, signal: AbortSignal): Promise<void> {
  const { cookie } = await signInTo(service, await newLink(service));
  const headers = { cookie, 'acequia-page': '1' };
  const { headers: listenHeaders, body } = listenRequest(FIRING);
  const key = await service.newKey();
  const keyed = { ...listenHeaders, 'x-api-key': key };
  const send = (): Promise<unknown>[] => [
    fetch(new URL('/page/events', service.base), { headers, signal }),
    fetch(mcpUrl(service.base), { method: 'POST', headers: keyed, body, signal }),
    fetch(`${service.base}/overview`, { headers: { 'x-api-key': key }, signal }),
    service.request('POST', EVENTS_PATH, { key, body: nthWatering(0) }),
  ];
  for (let count = 0; count < 25; count++)
    for (const each of send()) void each.catch(() => undefined);
}

/** For the store of the run; after each of these numbers of answers. */
export function testStopUnderLoad(...counts: readonly number[]): void {
  it.each(counts)(
    'a normal stop after %i answers under load ends with 0 and logs nothing',
    async (count) => {
      const service = await startRestService('--rate-limit', '0');
      const ending = new AbortController();
      afterTest(() => ending.abort());
      await openPageStreams(service, ending.signal);
      await openListenStreams(service, ending.signal);
      let answers = 0;
      const leaving = new AbortController();
      await keepBusy(service, () => {
        answers += 1;
        if (answers !== count) return;
        void sendAndLeave(service, leaving.signal).then(() => {
          service.child.kill('SIGTERM');
          setTimeout(() => leaving.abort(), 30);
        });
      });
      expect(await service.ended).toMatchObject({ code: 0, signal: null });
      expect(withoutHeldLoop(service.stderr())).toBe('');
    },
  );
}
