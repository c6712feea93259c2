import { Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { type ListenStream, ListenStreams } from '../../src/mcp/listening/listen-streams.ts';
import type { WatchResource } from '../../src/mcp/listening/subscriptions.ts';
import { FIRING, listenRequest } from './listen-request.ts';

const serverFactory = () =>
  new Server({ name: 'a', version: '1' }, { capabilities: { resources: { subscribe: true } } });

function streamsOf() {
  const streams = new ListenStreams(FIRING);
  const watches = { open: 0 };
  const watching: WatchResource = async () => {
    watches.open += 1;
    return () => void watches.open--;
  };
  const open = (key: string, watch = watching, company = 1): Promise<ListenStream> => {
    const { message, headers, body } = listenRequest(FIRING);
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body });
    return streams.open(message as never, request, {
      taker: { company, key },
      watch,
      serverFactory,
    });
  };
  return { streams, watches, open };
}

it('opens 192 streams of a company, and another when one has ended', async () => {
  const { open, watches } = streamsOf();
  const opened: ListenStream[] = [];
  for (let n = 0; n < 192; n++) opened.push(await open(`key:${n % 12}`));
  await expect(open('key:another')).rejects.toThrow('on too many streams already');
  expect(await open('key:1', undefined, 2)).toBeDefined();

  // Beyond an equal part, a company gets nothing new while another one has a stream.
  for (const { release } of opened.slice(0, 65)) release();
  await open('key:another');
  await expect(open('key:another')).rejects.toThrow('on too many streams already');
  expect(watches.open).toBe(129);
});

it('says beforehand whether it would refuse another stream', async () => {
  const { streams, open } = streamsOf();
  for (let n = 0; n < 16; n++) await open('key:1');
  const another = { company: 1, key: 'key:1' };
  expect(() => streams.assertFree(another)).toThrow('on too many streams already');
  expect(() => streams.assertFree({ ...another, key: 'key:2' })).not.toThrow();

  const watch: WatchResource = () => Promise.reject(new Error('Nothing is watched'));
  await expect(open('key:1', watch)).rejects.toMatchObject({ status: 429, retryAfterS: 5 });
});

it('does not count a stream that could not begin', async () => {
  const { open } = streamsOf();
  for (let n = 0; n < 20; n++)
    await expect(
      open('key:1', () => Promise.reject(new Error('The store is locked'))),
    ).rejects.toThrow('locked');
  await open('key:1');
});

it('opens none once it is closed, not even one that had begun to', async () => {
  const { streams, watches, open } = streamsOf();
  let begin = (): void => undefined;
  const late = open('key:1', async () => {
    await new Promise<void>((resolve) => {
      begin = resolve;
    });
    watches.open += 1;
    return () => void watches.open--;
  });
  const { response } = await open('key:2');
  await streams.close();
  expect(await response.text()).toContain('"resultType":"complete"');
  begin();
  await expect(late).rejects.toThrow('The service is stopping');
  await expect(open('key:3')).rejects.toThrow('The service is stopping');
  expect(watches.open).toBe(1);
});
