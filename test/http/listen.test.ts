import { createServer } from 'node:http';
import { expect, it, vi } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { afterTest } from '../cleanup.ts';

it('lets thousands of connections wait to be accepted', async () => {
  const server = createServer();
  afterTest(() => void server.close());
  const listening = vi.spyOn(server, 'listen');
  await listen(server, { host: '127.0.0.1', port: 0, options: '--port' });
  expect(listening.mock.calls[0]).toMatchObject([{ backlog: 4_096 }, expect.any(Function)]);
});
